"""Writing images as a film: MP4 through ffmpeg, GIF through Pillow."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError

SUFFIXES = (".mp4", ".gif")
NO_FFMPEG = (
    'writing .mp4 needs ffmpeg, which is not here; get it with pip install "fairlead[film]" or from your system, or '
    "name the film .gif, which needs nothing more"
)


def ffmpeg() -> str | None:
    """The program that writes MP4: the system's, or that of the extra `film`; None when there is none."""
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            import imageio_ffmpeg

            found = imageio_ffmpeg.get_ffmpeg_exe()
        except (ImportError, RuntimeError):
            return None
    return found


def require(path: Path) -> None:
    """Find out before the first image is drawn whether a film can be written."""
    if path.suffix.lower() not in SUFFIXES:
        raise ResultError(f"{path}: a film is written as {' or '.join(SUFFIXES)}; give it such a name with -o")
    if path.suffix.lower() == ".mp4" and ffmpeg() is None:
        raise ResultError(f"{path}: {NO_FFMPEG}")
    if not path.parent.is_dir():
        raise ResultError(f"{path}: there is no folder {path.parent}; create it or choose another with -o")


def write(path: Path, images: Iterable[NDArray[np.uint8]], rate: float) -> None:
    """Write images (row, column, 3), all of one size, at ``rate`` a second."""
    try:
        (_write_gif if path.suffix.lower() == ".gif" else _write_mp4)(path, images, rate)
    except OSError as error:
        raise ResultError(
            f"{path}: cannot write the film ({error.strerror or error}); choose another with -o"
        ) from error


def _write_mp4(path: Path, images: Iterable[NDArray[np.uint8]], rate: float) -> None:
    process: subprocess.Popen[bytes] | None = None
    failed = False
    try:
        for image in images:
            if process is None:
                process = _encoder(path, image.shape[1], image.shape[0], rate)
            assert process.stdin is not None
            process.stdin.write(image.tobytes())
    except BrokenPipeError:
        failed = True
    finally:
        said = b"" if process is None else process.communicate()[1]
    if process is not None and (failed or process.returncode != 0):
        why = said.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise ResultError(f"{path}: ffmpeg could not write the film ({why[-1]}); name it .gif, or choose another place")


def _encoder(path: Path, wide: int, tall: int, rate: float) -> subprocess.Popen[bytes]:
    command = [ffmpeg() or "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{wide}x{tall}", "-r", f"{rate:g}", "-i", "-", "-an", "-c:v", "libx264", "-preset", "fast"]
    # 4:2:0 is what every player shows; the colours of thin lines keep well at this quality
    command += ["-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path.absolute())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _write_gif(path: Path, images: Iterable[NDArray[np.uint8]], rate: float) -> None:
    from PIL import Image

    frames = []
    palette = None
    for image in images:
        picture = Image.fromarray(image)
        if palette is None:
            # One palette for all frames: colours that change from frame to frame would flicker.
            palette = picture.quantize(255, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        frames.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
    first, *others = frames
    length = max(20, round(1000 / rate))  # players slow down what is shorter
    first.save(path, save_all=True, append_images=others, duration=length, loop=0, optimize=False)
