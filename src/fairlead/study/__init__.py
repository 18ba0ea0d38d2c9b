"""Studies: many runs of one system, as one file describes them, and what they come to together."""

from .file import StudyFile, load_study, read_study
from .study import Study

__all__ = ["Study", "StudyFile", "load_study", "read_study"]
