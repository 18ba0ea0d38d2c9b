// Small plots with axes, drawn on a canvas: lines, bands, a cursor that can be dragged, and values under the pointer.
import { scaleFor, shown, ticks } from "fairlead/numbers.js";

// As much of some words as there is room for; what is left out is told by dots.
function fitting(pen, words, room) {
  let length = words.length;
  const cut = () => (length < words.length ? `${words.slice(0, length).trimEnd()}…` : words);
  while (length > 1 && pen.measureText(cut()).width > room) length--;
  return cut();
}

export class Plot {
  constructor(canvas, onSeek = null) {
    this.canvas = canvas;
    this.content = null;
    this.pointer = null;
    const seek = (event) => {
      const place = this.toData(event);
      if (place !== null) onSeek(place);
    };
    if (onSeek) {
      canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); this.dragging = true; seek(event); });
      canvas.addEventListener("pointerup", () => { this.dragging = false; });
    }
    canvas.addEventListener("pointermove", (event) => { if (this.dragging) seek(event); this.pointer = this.toData(event); this.draw(); });
    canvas.addEventListener("pointerleave", () => { this.pointer = null; this.draw(); });
  }

  toData(event) {
    if (!this.frame) return null;
    const { left, right, low, high } = this.frame;
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    return low + (Math.min(Math.max((x - left) / (right - left), 0), 1)) * (high - low);
  }

  // content: {title, xLabel, unit, x: [low, high], lines: [{name, x, y, colour, dash, width}], bands: [{x, low, high, colour}], cursor}
  show(content) { this.content = content; this.draw(); }

  draw() {
    const { canvas, content } = this;
    const wide = canvas.clientWidth, tall = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!content || !wide || !tall) return;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(tall * ratio)) {
      canvas.width = Math.round(wide * ratio); canvas.height = Math.round(tall * ratio);
    }
    const style = getComputedStyle(canvas);
    const ink = style.getPropertyValue("--ink"), faint = style.getPropertyValue("--faint"), rule = style.getPropertyValue("--rule");
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, tall);
    pen.font = "12px system-ui, sans-serif";
    let low = Infinity, high = -Infinity;
    const take = (values) => { for (const v of values) if (isFinite(v)) { if (v < low) low = v; if (v > high) high = v; } };
    content.lines.forEach((line) => take(line.y));
    (content.bands ?? []).forEach((band) => { take(band.low); take(band.high); });
    const limits = (content.limits ?? []).filter((limit) => limit.value <= 4 * high); // one far above would flatten the rest: the text says it
    take(limits.map((limit) => 1.08 * limit.value));
    if (!isFinite(low)) { low = 0; high = 1; }
    if (low > 0 && low < 0.75 * high) low = 0;
    if (high - low < 1e-9 * Math.max(Math.abs(high), 1)) { high += 0.5 * Math.max(Math.abs(high), 1e-6); low -= low > 0 && low < high ? 0 : 0.5 * Math.max(Math.abs(low), 1e-6); }
    const [divisor, unit] = scaleFor(Math.max(Math.abs(low), Math.abs(high)), content.unit);
    high += 0.06 * (high - low);
    if (low < 0) low -= 0.04 * (high - low);
    const marks = ticks(low / divisor, high / divisor, Math.max(2, tall / 34));
    const gutter = Math.max(...marks.map((m) => pen.measureText(shown(m)).width)) + 14;
    const frame = { left: gutter, right: wide - 22, top: 30, bottom: tall - 34, low: content.x[0], high: content.x[1] > content.x[0] ? content.x[1] : content.x[0] + 1 };
    this.frame = frame;
    const px = (x) => frame.left + ((x - frame.low) / (frame.high - frame.low)) * (frame.right - frame.left);
    const py = (y) => frame.bottom - ((y - low) / (high - low)) * (frame.bottom - frame.top);
    pen.fillStyle = ink; pen.textBaseline = "alphabetic"; pen.textAlign = "left";
    pen.font = "600 12.5px system-ui, sans-serif";
    const after = unit ? ` (${unit})` : "";
    canvas.ariaLabel = fitting(pen, content.title, wide - 8 - pen.measureText(after).width) + after;
    pen.fillText(canvas.ariaLabel, 4, 16);
    pen.font = "12px system-ui, sans-serif";
    pen.strokeStyle = rule; pen.fillStyle = faint; pen.lineWidth = 1; pen.textBaseline = "middle"; pen.textAlign = "right";
    for (const m of marks) {
      pen.beginPath(); pen.moveTo(frame.left, py(m * divisor)); pen.lineTo(frame.right, py(m * divisor)); pen.stroke();
      pen.fillText(shown(m), frame.left - 6, py(m * divisor));
    }
    pen.textBaseline = "top"; pen.textAlign = "center";
    for (const m of ticks(frame.low, frame.high, Math.max(2, wide / 75))) {
      pen.beginPath(); pen.moveTo(px(m), frame.bottom); pen.lineTo(px(m), frame.bottom + 4); pen.stroke();
      pen.fillText(shown(m), px(m), frame.bottom + 6);
    }
    pen.textAlign = "right"; pen.fillText(content.xLabel, frame.right, tall - 13);
    pen.save();
    pen.beginPath(); pen.rect(frame.left, frame.top - 4, frame.right - frame.left, frame.bottom - frame.top + 8); pen.clip();
    for (const band of content.bands ?? []) this.band(pen, band, px, py);
    for (const line of content.lines) this.line(pen, line, px, py);
    for (const limit of limits) this.limit(pen, limit, px, py, frame, style.getPropertyValue("--limit"));
    pen.restore();
    if (content.cursor !== undefined) this.cursor(pen, px(content.cursor), frame, ink);
    if (this.pointer !== null) this.readOut(pen, px, py, divisor, ink, style.getPropertyValue("--card"));
  }

  line(pen, { x, y, colour, dash = [], width = 1.6 }, px, py) {
    pen.strokeStyle = colour; pen.lineWidth = width; pen.setLineDash(dash); pen.lineJoin = "round";
    pen.beginPath();
    let open = false;
    const to = (a, b) => { if (open) pen.lineTo(a, b); else pen.moveTo(a, b); open = true; };
    for (let i = 0; i < y.length; i++) {
      if (!isFinite(y[i])) { open = false; continue; }
      const column = Math.floor(px(x[i]));
      let last = i, low = y[i], high = y[i];
      while (last + 1 < y.length && isFinite(y[last + 1]) && Math.floor(px(x[last + 1])) === column) { last++; low = Math.min(low, y[last]); high = Math.max(high, y[last]); }
      to(px(x[i]), py(y[i]));
      if (last > i + 1) { to(column + 0.5, py(low)); to(column + 0.5, py(high)); } // many samples in one column of pixels: all they reach
      if (last > i) to(px(x[last]), py(y[last]));
      i = last;
    }
    pen.stroke(); pen.setLineDash([]);
  }

  limit(pen, { value, name, from, to }, px, py, frame, colour) {
    // what must not be passed, with its name
    const left = Math.max(px(from ?? frame.low), frame.left), right = Math.min(px(to ?? frame.high), frame.right);
    pen.strokeStyle = pen.fillStyle = colour; pen.lineWidth = 1.4; pen.setLineDash([7, 4]);
    pen.beginPath(); pen.moveTo(left, py(value)); pen.lineTo(right, py(value)); pen.stroke(); pen.setLineDash([]);
    pen.textAlign = "right"; pen.textBaseline = "bottom"; pen.fillText(name, right - 2, py(value) - 2);
  }

  band(pen, { x, low, high, colour }, px, py) {
    pen.fillStyle = colour;
    pen.beginPath();
    const good = [...x.keys()].filter((i) => isFinite(low[i]));
    good.forEach((i, k) => (k ? pen.lineTo(px(x[i]), py(high[i])) : pen.moveTo(px(x[i]), py(high[i]))));
    good.reverse().forEach((i) => pen.lineTo(px(x[i]), py(low[i])));
    pen.closePath(); pen.fill();
  }

  cursor(pen, x, frame, ink) {
    pen.strokeStyle = ink; pen.lineWidth = 1.2;
    pen.beginPath(); pen.moveTo(x, frame.top - 4); pen.lineTo(x, frame.bottom); pen.stroke();
    pen.fillStyle = ink;
    pen.beginPath(); pen.arc(x, frame.top - 4, 3.5, 0, 7); pen.fill();
  }

  readOut(pen, px, py, divisor, ink, card) {
    const texts = [], x = px(this.pointer);
    for (const line of this.content.lines) {
      let best = -1;
      for (let i = 0; i < line.x.length; i++) if (isFinite(line.y[i]) && (best < 0 || Math.abs(line.x[i] - this.pointer) < Math.abs(line.x[best] - this.pointer))) best = i;
      if (best < 0) continue;
      pen.fillStyle = line.colour;
      pen.beginPath(); pen.arc(px(line.x[best]), py(line.y[best]), 3, 0, 7); pen.fill();
      texts.push(`${line.name}: ${shown(line.y[best] / divisor)}`);
    }
    const wide = Math.max(0, ...texts.map((text) => pen.measureText(text).width)) + 12, tall = 16 * texts.length + 6;
    const left = x + 10 + wide > this.frame.right ? x - 10 - wide : x + 10;
    pen.globalAlpha = 0.9; pen.fillStyle = card; pen.fillRect(left, this.frame.top, wide, tall); pen.globalAlpha = 1;
    pen.fillStyle = ink; pen.textAlign = "left"; pen.textBaseline = "top";
    texts.forEach((text, i) => pen.fillText(text, left + 6, this.frame.top + 5 + 16 * i));
  }
}
