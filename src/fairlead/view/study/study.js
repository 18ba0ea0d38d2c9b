"use strict";
const [data] = JSON.parse(document.getElementById("data").textContent);
const axes = data.axes, n = data.scenario.length;
const INK = "#1b2a38", FAINT = "#51626f", RULE = "#d5dee5", ACCENT = "#0a5f94", MARK = "#d1495b";
const ranges = new Map();           // axis number -> [low, high] that lines must pass
let chosen = null;

for (const axis of axes) {
  const known = axis.values.filter(v => v !== null);
  axis.low = known.length ? known.reduce((a, b) => Math.min(a, b)) : 0;
  axis.high = known.length ? known.reduce((a, b) => Math.max(a, b)) : 1;
  if (axis.low === axis.high) { const w = Math.abs(axis.low) * 0.05 || 1; axis.low -= w; axis.high += w; }
  axis.label = axis.words + (axis.unit && axis.unit !== "1" ? " [" + axis.unit + "]" : "");
}

function words(axis, value) {
  if (value === null || value === undefined) return "–";
  if (axis.names) return axis.names[value] ?? "";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) return value.toExponential(2);
  return value.toLocaleString("en-US", Number.isInteger(value) ? {} : { maximumSignificantDigits: 4 });
}

function prepared(canvas) {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  canvas.width = Math.round(box.width * ratio); canvas.height = Math.round(box.height * ratio);
  const draw = canvas.getContext("2d");
  draw.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw.clearRect(0, 0, box.width, box.height);
  draw.font = "12px system-ui, sans-serif";
  return [draw, box.width, box.height];
}

function ticks(axis, most) {
  if (axis.names) return axis.names.map((_, k) => k).filter((_, k, all) => k % Math.ceil(all.length / most) === 0);
  const span = axis.high - axis.low, rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(k => span / k <= most);
  const found = [];
  for (let k = Math.ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * span; k++) found.push(k * step);
  return found;
}

function colour(share) {            // blue over green to yellow, readable without red and green
  const stops = [[59, 28, 120], [38, 108, 142], [38, 168, 120], [250, 205, 50]];
  const x = Math.max(0, Math.min(1, share)) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(x)), f = x - k;
  return "rgb(" + stops[k].map((a, i) => Math.round(a + f * (stops[k + 1][i] - a))).join(",") + ")";
}

const share = (axis, value) => (value - axis.low) / (axis.high - axis.low);
const passes = i => [...ranges].every(([k, [low, high]]) => axes[k].values[i] !== null && axes[k].values[i] >= low && axes[k].values[i] <= high);

const scatter = document.getElementById("scatter"), selects = ["x", "y", "c"].map(id => document.getElementById(id));
const firstResult = Math.max(0, axes.findIndex(axis => !axis.varied && /\.max$/.test(axis.name)), axes.findIndex(axis => !axis.varied));
const numeric = axes.findIndex(axis => axis.varied && !axis.names);
const coloured = axes.findIndex(axis => axis.varied && axis.names);
const missing = axis => axis.values.filter(value => value === null).length;
const most = axes.filter(axis => /\.max$/.test(axis.name)).reduce((best, axis) => best && missing(best) <= missing(axis) ? best : axis, null);
selects.forEach((select, which) => {
  axes.forEach((axis, k) => select.add(new Option(axis.label, k)));
  const wanted = [Math.max(0, numeric), axes.indexOf(most), coloured >= 0 ? coloured : Math.min(1, axes.length - 1)][which];
  select.value = wanted >= 0 ? wanted : firstResult;
  select.addEventListener("change", drawAll);
});

let placed = [];
function drawScatter() {
  const [draw, width, height] = prepared(scatter);
  const [ax, ay, ac] = selects.map(select => axes[select.value]);
  const left = 78, right = width - 90, top = 22, bottom = height - 44;
  const px = v => left + 10 + (right - left - 20) * share(ax, v), py = v => bottom - 10 - (bottom - top - 20) * share(ay, v);
  draw.strokeStyle = RULE; draw.fillStyle = FAINT;
  for (const v of ticks(ax, 7)) {
    draw.beginPath(); draw.moveTo(px(v), top); draw.lineTo(px(v), bottom); draw.stroke();
    draw.textAlign = "center"; draw.fillText(words(ax, v), px(v), bottom + 16);
  }
  for (const v of ticks(ay, 7)) {
    draw.beginPath(); draw.moveTo(left, py(v)); draw.lineTo(right, py(v)); draw.stroke();
    draw.textAlign = "right"; draw.fillText(words(ay, v), left - 6, py(v) + 4);
  }
  draw.fillStyle = INK; draw.textAlign = "center"; draw.fillText(ax.label, (left + right) / 2, height - 10);
  draw.save(); draw.translate(14, (top + bottom) / 2); draw.rotate(-Math.PI / 2); draw.fillText(ay.label, 0, 0); draw.restore();
  draw.fillStyle = INK; draw.textAlign = "right"; draw.fillText("colour: " + ac.label, width - 4, 12, width - left);
  draw.textAlign = "left";
  if (ac.names && ac.names.length <= 12) ac.names.forEach((name, k) => {  // a choice has colours of its own, not a scale
    draw.fillStyle = colour(share(ac, k)); draw.fillRect(right + 14, top + 20 + k * 18, 12, 12);
    draw.fillStyle = FAINT; draw.fillText(name, right + 30, top + 30 + k * 18);
  });
  else {
    for (let k = 0; k < 60; k++) { draw.fillStyle = colour(1 - k / 59); draw.fillRect(right + 14, top + 20 + k * 2, 12, 2.5); }
    draw.fillStyle = FAINT;
    draw.fillText(words(ac, ac.high), right + 30, top + 26); draw.fillText(words(ac, ac.low), right + 30, top + 142);
  }
  placed = [];
  const radius = n > 5000 ? 1.6 : n > 500 ? 2.6 : 4;
  for (let i = 0; i < n; i++) {
    const x = ax.values[i], y = ay.values[i];
    if (x === null || y === null) continue;
    placed.push([px(x), py(y), i]);
    draw.globalAlpha = passes(i) ? 0.85 : 0.08;
    draw.fillStyle = ac.values[i] === null ? FAINT : colour(share(ac, ac.values[i]));
    draw.beginPath(); draw.arc(px(x), py(y), radius, 0, 7); draw.fill();
    if (data.replays[data.scenario[i]]) { draw.strokeStyle = INK; draw.lineWidth = 1.4; draw.beginPath(); draw.arc(px(x), py(y), radius + 2, 0, 7); draw.stroke(); draw.lineWidth = 1; }
  }
  draw.globalAlpha = 1;
  const marked = placed.find(place => place[2] === chosen);
  if (marked) { draw.strokeStyle = MARK; draw.lineWidth = 2.5; draw.beginPath(); draw.arc(marked[0], marked[1], radius + 4, 0, 7); draw.stroke(); draw.lineWidth = 1; }
}

scatter.addEventListener("click", event => {
  const box = scatter.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  let best = null, near = 15 ** 2;
  for (const [px, py, i] of placed) { const d = (px - x) ** 2 + (py - y) ** 2; if (d < near) { near = d; best = i; } }
  if (best !== null) choose(best);
});
scatter.addEventListener("keydown", event => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (way) { choose(chosen === null ? 0 : (chosen + way + n) % n); event.preventDefault(); }
});

function choose(i) {
  chosen = i;
  const one = document.getElementById("one");
  one.textContent = "";
  const add = (tag, text, to = one) => { const made = document.createElement(tag); made.textContent = text; to.append(made); return made; };
  add("b", "scenario " + data.scenario[i]);
  if (data.status[i] !== "complete") add("p", data.status[i]);
  const address = data.replays[data.scenario[i]];
  if (address) { const link = add("a", "replay"); link.href = address; link.target = "_blank"; }
  else add("span", "no replay is kept of it: name it under keep: histories: scenarios, and resume");
  const list = add("dl", "");
  for (const axis of axes) { add("dt", axis.label, list); add("dd", words(axis, axis.values[i]), list); }
  drawAll();
}

const parallel = document.getElementById("parallel");
let shown = [];
function drawParallel() {
  const [draw, width, height] = prepared(parallel);
  const results = axes.map((axis, k) => k).filter(k => !axes[k].varied && /\.(max|mean)$/.test(axes[k].name));
  const varied = axes.map((axis, k) => k).filter(k => axes[k].varied);
  shown = [...varied, ...(results.length ? results : [firstResult])].slice(0, Math.max(4, Math.floor(width / 110)));
  const top = 54, bottom = height - 22, ac = axes[selects[2].value];
  const at = k => shown.length > 1 ? 60 + (width - 120) * k / (shown.length - 1) : width / 2;
  const py = (axis, v) => bottom - (bottom - top) * share(axis, v);
  draw.lineWidth = n > 2000 ? 0.5 : 1;
  const order = [...Array(n).keys()].sort((a, b) => passes(a) - passes(b));
  for (const i of [...order, ...(chosen === null ? [] : [chosen])]) {
    const marked = i === chosen;
    draw.globalAlpha = marked ? 1 : passes(i) ? Math.max(0.06, Math.min(0.6, 60 / n)) : 0.02;
    draw.strokeStyle = marked ? MARK : ac.values[i] === null ? FAINT : colour(share(ac, ac.values[i]));
    draw.beginPath();
    let pen = false;
    shown.forEach((k, place) => {
      const v = axes[k].values[i];
      if (v === null) { pen = false; return; }
      pen ? draw.lineTo(at(place), py(axes[k], v)) : draw.moveTo(at(place), py(axes[k], v));
      pen = true;
    });
    draw.stroke();
  }
  draw.globalAlpha = 1; draw.lineWidth = 1;
  shown.forEach((k, place) => {
    const axis = axes[k], x = at(place);
    draw.strokeStyle = INK; draw.beginPath(); draw.moveTo(x, top); draw.lineTo(x, bottom); draw.stroke();
    draw.fillStyle = INK; draw.textAlign = place === 0 ? "left" : place === shown.length - 1 ? "right" : "center";
    const parts = axis.label.split(/(?<= )/), half = Math.ceil(parts.length / 2);
    const from = place === 0 ? x - 50 : place === shown.length - 1 ? x + 50 : x;
    const room = (width - 120) / Math.max(1, shown.length - 1) - 8;
    [parts.slice(0, half).join(""), parts.slice(half).join("")].forEach((text, line) => draw.fillText(text, from, 14 + 14 * line, Math.max(60, room)));
    draw.fillStyle = FAINT; draw.textAlign = "center";
    draw.fillText(words(axis, axis.names ? axis.names.length - 1 : axis.high), x, top - 6); draw.fillText(words(axis, axis.names ? 0 : axis.low), x, bottom + 14);
    if (ranges.has(k)) {
      const [low, high] = ranges.get(k);
      draw.fillStyle = "rgba(209,73,91,0.25)"; draw.fillRect(x - 7, py(axis, high), 14, Math.max(2, py(axis, low) - py(axis, high)));
    }
  });
  parallel.at = at; parallel.value = (axis, y) => axis.low + (axis.high - axis.low) * Math.max(0, Math.min(1, (bottom - y) / (bottom - top)));
}

let held = null;
parallel.addEventListener("pointerdown", event => {
  const box = parallel.getBoundingClientRect(), x = event.clientX - box.left;
  const place = shown.map((_, k) => Math.abs(parallel.at(k) - x)).reduce((best, d, k, all) => d < all[best] ? k : best, 0);
  if (Math.abs(parallel.at(place) - x) > 25) return;
  held = [shown[place], event.clientY - box.top];
  parallel.setPointerCapture(event.pointerId);
});
parallel.addEventListener("pointermove", event => {
  if (!held) return;
  const [k, from] = held, y = event.clientY - parallel.getBoundingClientRect().top;
  if (Math.abs(y - from) < 4) return;
  const ends = [parallel.value(axes[k], from), parallel.value(axes[k], y)].sort((a, b) => a - b);
  ranges.set(k, ends); drawAll();
});
parallel.addEventListener("pointerup", event => {
  if (held && Math.abs(event.clientY - parallel.getBoundingClientRect().top - held[1]) < 4) { ranges.delete(held[0]); drawAll(); }
  held = null;
});

const which = document.getElementById("which"), results = axes.map((axis, k) => k).filter(k => !axes[k].varied);
const isFirst = k => /\.(max|min|mean)$/.test(axes[k].name);
const first = results.some(isFirst) ? results.filter(isFirst).slice(0, 6) : results.slice(0, 6);
const pictures = results.map(k => {
  const canvas = document.createElement("canvas"), label = document.createElement("label"), box = document.createElement("input");
  canvas.setAttribute("aria-label", "Distribution of " + axes[k].words);
  document.getElementById("distributions").append(canvas);
  box.type = "checkbox"; box.checked = first.includes(k);
  label.append(box, " " + axes[k].words); which.append(label);
  const show = () => { canvas.style.display = box.checked ? "" : "none"; if (box.checked) drawDistribution(canvas, axes[k]); };
  box.addEventListener("change", show);
  canvas.style.display = box.checked ? "" : "none";
  return [canvas, axes[k], box];
});
function drawDistribution(canvas, axis) {
  const [draw, width, height] = prepared(canvas);
  const left = 46, right = width - 42, top = 30, bottom = height - 40;
  const known = [...Array(n).keys()].filter(i => axis.values[i] !== null && passes(i));
  if (!known.length) return;
  const bins = Math.max(6, Math.min(40, Math.ceil(Math.sqrt(known.length)))), counts = Array(bins).fill(0);
  let whole = 0;
  for (const i of known) { const w = data.weight[i] ?? 0; counts[Math.min(bins - 1, Math.floor(share(axis, axis.values[i]) * bins))] += w; whole += w; }
  const most = Math.max(...counts) || 1, wide = (right - left) / bins, tall = bottom - top;
  const percent = part => (100 * part).toLocaleString("en-US", { maximumSignificantDigits: 2 }) + " %";
  draw.fillStyle = "#9cc3dc";
  counts.forEach((count, k) => draw.fillRect(left + k * wide + 0.5, bottom - tall * count / most, wide - 1, tall * count / most));
  const sorted = known.map(i => [axis.values[i], data.weight[i] ?? 0]).sort((a, b) => a[0] - b[0]);
  let below = 0;
  draw.strokeStyle = MARK; draw.lineWidth = 1.6; draw.beginPath();
  sorted.forEach(([v, w], k) => { const x = left + (right - left) * share(axis, v), y = top + tall * below / (whole || 1); k ? draw.lineTo(x, y) : draw.moveTo(x, y); below += w; draw.lineTo(x, top + tall * below / (whole || 1)); });
  draw.stroke(); draw.lineWidth = 1;
  draw.strokeStyle = RULE; draw.beginPath(); draw.moveTo(left, bottom); draw.lineTo(right, bottom); draw.stroke();
  draw.fillStyle = FAINT; draw.textAlign = "center";
  for (const v of ticks(axis, 4)) draw.fillText(words(axis, v), Math.max(left + 12, Math.min(right - 16, left + (right - left) * share(axis, v))), bottom + 15);
  for (const part of [0, 0.5, 1]) {
    draw.textAlign = "right"; draw.fillStyle = "#3c7fa8"; draw.fillText(percent(part * most / (whole || 1)), left - 4, bottom - tall * part + 4);
    draw.textAlign = "left"; draw.fillStyle = MARK; draw.fillText(percent(part), right + 4, bottom - tall * part + 4);
  }
  draw.fillStyle = INK; draw.textAlign = "center"; draw.fillText(axis.label, (left + right) / 2, height - 8, width - 20);
  draw.fillStyle = "#3c7fa8"; draw.textAlign = "left"; draw.fillText("share of scenarios", 4, 14);
  draw.fillStyle = MARK; draw.textAlign = "right"; draw.fillText("share above", width - 4, 14);
}

function drawAll() {
  drawScatter(); drawParallel();
  for (const [canvas, axis, box] of pictures) if (box.checked) drawDistribution(canvas, axis);
}
window.addEventListener("resize", drawAll);
drawAll();
