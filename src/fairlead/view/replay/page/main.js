// Puts the page together: reads the results, draws them when something changed, and listens.
import * as THREE from "three";
import { Run } from "fairlead/run.js";
import { Cables } from "fairlead/cables.js";
import { Sheet } from "fairlead/sea.js";
import { Labels, Marks } from "fairlead/marks.js";
import { Panel } from "fairlead/panel.js";
import { View, nearestCable } from "fairlead/view.js";
import { scaleFor, shown, ticks } from "fairlead/numbers.js";
import { PALETTES, RUN_COLOURS } from "fairlead/colours.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const STRETCHES = [1, 2, 5, 10, 20];
const get = (id) => document.getElementById(id);
THREE.ColorManagement.enabled = false;

const state = { time: 0, playing: false, speed: 1, loop: false, field: "tension", byRun: false, cable: null, names: true, stretch: 1, dark: false, numbers: false, drawn: 0 };
let runs = [], tubes = [], marks = [], sheets = [], view = null, renderer = null, scene = null, panel = null, labels = null;
let span = [0, 1], box = null, spacing = 10, dirty = true, lastTick = 0, lastMiddle = null;
const shared = { pixel: { value: 0.001 }, width: { value: 2.6 }, palette: { value: null }, low: { value: 0 }, high: { value: 1 } };

async function start() {
  const records = JSON.parse(get("results-data").textContent);
  performance.mark("read");
  runs = await Promise.all(records.map((record, i) => Run.from(record, RUN_COLOURS[i % RUN_COLOURS.length])));
  performance.mark("unpacked");
  get("results-data").textContent = "";
  span = [Math.min(...runs.map((run) => run.times[0])), Math.max(...runs.map((run) => run.times[run.times.length - 1]))];
  state.time = span[0];
  state.byRun = runs.length > 1;
  state.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  state.speed = SPEEDS.reduce((best, s) => (Math.abs(Math.log(s * 25 / Math.max(span[1] - span[0], 1e-6))) < Math.abs(Math.log(best * 25 / Math.max(span[1] - span[0], 1e-6))) ? s : best), 1);
  panel = new Panel(get("panel"), seek);
  panel.offer(runs);
  labels = new Labels(get("labels"));
  writeHead();
  fillTools();
  build();
  performance.mark("built");
  readAddress();
  paint();
  listen();
  requestAnimationFrame(tick);
}

// --- what stands on the page ---------------------------------------------------------------------------------------

function writeHead() {
  const first = runs[0];
  get("title").textContent = first.title;
  document.title = first.title;
  const from = runs.length > 1 ? `${runs.length} results` : [first.formulation && `formulation ${first.formulation}`].filter(Boolean).join("");
  const worst = Math.max(...runs.map((run) => run.accuracy.position));
  const kept = runs.map((run) => (run.accuracy.kept < run.accuracy.samples ? `${run.accuracy.kept} of ${run.accuracy.samples} samples kept` : "every sample kept"));
  const near = worst < 0.0095 ? `${shown(Math.ceil(worst * 1000), 2)} mm` : `${shown(worst * 100, 2)} cm`;
  const values = Math.max(...runs.map((run) => run.accuracy.values.tension ?? 0));
  get("facts").textContent = [from, `${shown(span[0])} to ${shown(span[1])} s`].filter(Boolean).join(" · ");
  get("accuracy").textContent = `Positions are shown within ${near}, tensions within ${shown(100 * values, 2)} % of the largest in their cable (${[...new Set(kept)].join("; ")}).${first.version ? ` Fairlead ${first.version}.` : ""}`;
  const stopped = runs.filter((run) => run.status && run.status !== "complete").map((run) => (runs.length > 1 ? `${run.name}: ${run.status}` : run.status));
  get("status").textContent = stopped.join("; ");
  if (runs.length < 2) return;
  for (const run of runs) {
    const label = document.createElement("label"), tick = document.createElement("input"), patch = document.createElement("i");
    tick.type = "checkbox"; tick.checked = true; patch.style.background = run.colour;
    tick.addEventListener("change", () => { run.visible = tick.checked; touch(); });
    label.append(tick, patch, document.createTextNode(run.name));
    get("results").append(label);
  }
}

function fillTools() {
  const option = (select, value, text) => {
    const item = document.createElement("option");
    item.value = value; item.textContent = text;
    select.append(item);
  };
  const known = new Map(runs.flatMap((run) => [...run.fields.values()].map((field) => [field.key, field.label])));
  if (runs.length > 1) option(get("colour"), "result", "Result");
  for (const [key, label] of known) option(get("colour"), key, label);
  get("colour").value = state.byRun ? "result" : state.field;
  for (const s of SPEEDS) option(get("speed"), s, `× ${s}`);
  for (const s of STRETCHES) option(get("stretch"), s, s === 1 ? "to scale" : `vertical × ${s}`);
  get("speed").value = state.speed;
  const slider = get("time");
  slider.min = span[0]; slider.max = span[1]; slider.step = "any"; slider.value = state.time;
}

function build() {
  const canvas = get("scene");
  try {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  } catch (error) {
    get("failure").textContent = "This browser shows no 3D (WebGL is off or missing). Plots still work: choose a cable with the keys [ and ].";
    get("failure").hidden = false;
    return;
  }
  renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
  scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight("#ffffff", "#8899aa", 2.2));
  const sun = new THREE.DirectionalLight("#ffffff", 1.4);
  sun.position.set(-1, -2, 3);
  scene.add(sun);
  view = new View(canvas, () => { dirty = true; });
  tubes = runs.map((run) => new Cables(run, shared));
  marks = runs.map((run) => new Marks(run));
  scene.add(...tubes.map((tube) => tube.object), ...marks.map((mark) => mark.object));
  measure();
  const deep = box.low.z, size = Math.max(box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z, 1e-3);
  const bed = runs[0].seabed;
  if (bed && deep - levelOf(bed, box) < 2 * size) sheets.push(new Sheet({ level: -bed.depth, slope: bed.slope, order: 0, fineLines: 0.45 }));
  else sheets.push(new Sheet({ level: deep - 0.06 * size, order: 1, fineLines: 0.7 }));
  if (runs[0].water && Math.min(Math.abs(box.high.z), Math.abs(deep)) < 2 * size) sheets.push(new Sheet({ level: 0, waves: runs[0].waves, ramp: runs[0].wave_ramp, order: 7, fineLines: 0 }));
  for (const sheet of sheets) scene.add(sheet.object);
  get("legend").hidden = false;
  get("legendBed").hidden = !runs.some((run) => run.contact);
  setView("space");
}

const levelOf = (bed, around) => -bed.depth + Math.max(bed.slope[0] * around.low.x, bed.slope[0] * around.high.x) + Math.max(bed.slope[1] * around.low.y, bed.slope[1] * around.high.y);

function measure() {
  // the box around the system: around all its ways, or, where it travels far, around the widest it is at any time
  const whole = new THREE.Box3(), wide = new THREE.Vector3();
  let first = null;
  for (const run of runs) {
    const every = Math.max(1, Math.floor(run.times.length / 60));
    for (let f = 0; f < run.times.length; f += every) {
      const now = new THREE.Box3(), place = new THREE.Vector3();
      const take = (values, active, count) => { for (let i = 0; i < count; i++) if (!active || active[f * count + i]) now.expandByPoint(place.fromArray(values, 3 * (f * count + i))); };
      take(run.position, run.active, run.nodes);
      take(run.pointPosition, run.pointPresent, run.points.length);
      if (now.isEmpty()) continue;
      first ??= now.clone();
      whole.union(now);
      wide.max(now.getSize(place));
    }
  }
  if (!first) first = whole.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)).clone();
  const size = whole.getSize(new THREE.Vector3());
  const travels = Math.max(size.x, size.y) > 1.6 * Math.max(wide.x, wide.y, wide.z, 1e-3);
  box = { low: (travels ? first : whole).min.clone(), high: (travels ? first : whole).max.clone(), travels };
  const flat = Math.max(box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z, 1e-3);
  for (const key of ["x", "y"]) { const lack = Math.max(0, 0.02 * flat - (box.high[key] - box.low[key])) / 2; box.low[key] -= lack; box.high[key] += lack; }
  const bed = runs[0].seabed, top = runs[0].water ? Math.max(box.high.z, 0) : box.high.z;
  if (top - box.high.z < 0.6 * flat) box.high.z = top;
  if (bed && box.low.z + bed.depth < 0.6 * flat) box.low.z = Math.min(box.low.z, -bed.depth);
  const marksOnGrid = ticks(0, flat, 10);
  spacing = marksOnGrid.length > 1 ? marksOnGrid[1] - marksOnGrid[0] : 1;
  if (travels && view) view.follow = true;
}

function stretched() {
  const low = box.low.clone(), high = box.high.clone();
  low.z *= state.stretch; high.z *= state.stretch;
  if (view?.follow && lastMiddle) {
    const by = middleNow().sub(low.clone().add(high).multiplyScalar(0.5)).setZ(0);
    low.add(by); high.add(by);
  }
  return { low, high };
}

// --- drawing -------------------------------------------------------------------------------------------------------

function touch() { dirty = true; }

function tick(now) {
  requestAnimationFrame(tick);
  const passed = Math.min((now - lastTick) / 1000, 0.25);
  lastTick = now;
  if (state.playing) advance(passed * state.speed);
  if (!dirty) return;
  dirty = false;
  draw();
}

function advance(by) {
  let time = state.time + by;
  if (time >= span[1]) {
    if (state.loop && span[1] > span[0]) time = span[0] + ((time - span[0]) % (span[1] - span[0]));
    else { time = span[1]; play(false); }
  }
  state.time = time;
  dirty = true;
}

function middleNow() {
  const chosen = state.cable, place = new THREE.Vector3(), around = new THREE.Box3();
  for (const run of runs) {
    if (!run.visible) continue;
    for (const cable of run.cables) {
      if (chosen !== null && cable.name !== chosen) continue;
      for (let i = cable.first; i < cable.first + cable.nodes; i++) if (run.alive[i]) around.expandByPoint(place.fromArray(run.now, 3 * i));
    }
  }
  if (around.isEmpty()) return lastMiddle?.clone() ?? new THREE.Vector3();
  const middle = around.getCenter(new THREE.Vector3());
  middle.z *= state.stretch;
  return middle;
}

function draw() {
  const colourKey = state.field;
  for (const run of runs) run.moveTo(state.time, colourKey);
  get("time").value = state.time;
  get("clock").textContent = `${state.time.toFixed(span[1] - span[0] < 20 ? 2 : 1)} s`;
  get("time").setAttribute("aria-valuetext", `${shown(state.time)} s`);
  if (renderer) drawScene();
  if (!get("panel").hidden) panel.render(runs, state.field, state.time, span);
  state.drawn++;
}

function drawScene() {
  const stage = get("stage"), wide = stage.clientWidth, tall = stage.clientHeight, ratio = Math.min(window.devicePixelRatio || 1, 2);
  if (renderer.domElement.width !== Math.floor(wide * ratio) || renderer.domElement.height !== Math.floor(tall * ratio) || renderer.getPixelRatio() !== ratio) {
    renderer.setPixelRatio(ratio);
    renderer.setSize(wide, tall, false);
    view.fit(wide, tall);
    if (view.preset !== "own") setView(view.preset);
  }
  const middle = middleNow();
  if (view.follow && lastMiddle) view.shift(middle.clone().sub(lastMiddle));
  lastMiddle = middle;
  const size = box.high.clone().sub(box.low);
  view.reach(box, size.length() * state.stretch);
  shared.pixel.value = (2 * Math.tan(THREE.MathUtils.degToRad(view.camera.fov / 2))) / tall;
  shared.width.value = Math.min(3.4, Math.max(2.2, tall / 320));
  const first = runs.findIndex((run) => run.visible);
  runs.forEach((run, i) => {
    tubes[i].object.visible = marks[i].object.visible = run.visible;
    tubes[i].selected = run.cables.findIndex((cable) => cable.name === state.cable);
    tubes[i].lookLike(state.byRun, i === first);
    if (!run.visible) return;
    tubes[i].update(state.stretch);
    marks[i].update(state.time, state.stretch, ratio);
  });
  const around = view.follow ? middle : box.low.clone().add(box.high).multiplyScalar(0.5);
  for (const sheet of sheets) sheet.place(around, 0.9 * Math.max(size.x, size.y, size.z) + 4 * spacing, spacing, state.stretch, state.time);
  renderer.render(scene, view.camera);
  const names = state.names && first >= 0 ? marks[first].names(state.time) : [];
  labels.show(names, (name) => view.onPage(name.x, name.y, name.z * state.stretch, wide, tall));
  const floor = sheets.find((sheet) => sheet.object.renderOrder === 1);
  get("grid").textContent = floor ? `grid ${shown(spacing)} m, drawn at z = ${shown(floor.uniforms.level.value, 3)} m` : `grid ${shown(spacing)} m`;
}

function paint() {
  // colours that depend on dark or light, and on what the cables are coloured by
  const root = document.documentElement;
  root.dataset.theme = state.dark ? "dark" : "light";
  get("theme").textContent = state.dark ? "Light" : "Dark";
  const style = getComputedStyle(root), stops = PALETTES[state.dark ? "dark" : "light"];
  const pixels = new Uint8Array(stops.flatMap(([r, g, b]) => [r, g, b, 255]));
  shared.palette.value?.dispose();
  shared.palette.value = new THREE.DataTexture(pixels, stops.length, 1);
  shared.palette.value.magFilter = shared.palette.value.minFilter = THREE.LinearFilter;
  shared.palette.value.needsUpdate = true;
  for (const tube of tubes) tube.material.uniforms.palette = shared.palette;
  for (const sheet of sheets) {
    const kind = { 0: "bed", 1: "floor", 7: "water" }[sheet.object.renderOrder];
    sheet.paint(style.getPropertyValue(`--${kind}`).trim(), style.getPropertyValue(`--${kind}Line`).trim(), { bed: 0.75, floor: 0.02, water: 0.17 }[kind]);
  }
  paintBar(stops);
  touch();
}

function paintBar(stops) {
  const fields = runs.map((run) => run.fields.get(state.field)).filter(Boolean);
  get("bar").hidden = state.byRun || !fields.length;
  if (!fields.length) return;
  const low = Math.min(...fields.map((field) => field.range[0])), high = Math.max(...fields.map((field) => field.range[1]));
  shared.low.value = low; shared.high.value = high;
  const [divisor, unit] = scaleFor(Math.max(Math.abs(low), Math.abs(high)), fields[0].unit);
  get("barTitle").textContent = `${fields[0].label} (${unit})`;
  get("barFill").style.background = `linear-gradient(to top, ${stops.map((c) => `rgb(${c})`).join(",")})`;
  get("barTicks").replaceChildren(...ticks(low / divisor, high / divisor, 5).map((value) => {
    const mark = document.createElement("span");
    mark.textContent = shown(value);
    mark.style.bottom = `${(100 * (value * divisor - low)) / (high - low)}%`;
    return mark;
  }));
}

// --- what people do ------------------------------------------------------------------------------------------------

function play(on) {
  if (on && state.time >= span[1]) state.time = span[0];
  state.playing = on;
  get("play").textContent = on ? "❚❚" : "▶";
  get("play").setAttribute("aria-label", on ? "Pause" : "Play");
  touch();
}

function seek(time) { state.time = Math.min(Math.max(time, span[0]), span[1]); touch(); }

function stepFrame(by) {
  play(false);
  const times = runs[0].times, [frame, part] = runs[0].frameAt(state.time);
  const to = by > 0 ? frame + by : part > 1e-6 ? frame + by + 1 : frame + by;
  seek(times[Math.min(Math.max(to, 0), times.length - 1)]);
}

function changeSpeed(by) {
  const at = SPEEDS.indexOf(state.speed) + by;
  state.speed = SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)];
  get("speed").value = state.speed;
}

function setView(preset) {
  if (!view) return;
  for (const run of runs) run.moveTo(state.time, state.field);
  lastMiddle = middleNow();
  view.fit(get("stage").clientWidth, get("stage").clientHeight);
  view.look(preset, stretched());
  showButtons();
  touch();
}

function setFollow(on) { if (view) { view.follow = on; lastMiddle = null; showButtons(); touch(); } }

function showButtons() {
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(view?.preset === button.dataset.view));
  get("follow").setAttribute("aria-pressed", String(Boolean(view?.follow)));
  get("names").setAttribute("aria-pressed", String(state.names));
  get("numbers").setAttribute("aria-pressed", String(state.numbers));
  get("loop").setAttribute("aria-pressed", String(state.loop));
}

function choose(cable) {
  state.cable = cable;
  panel.choose(cable);
  get("panel").hidden = cable === null && !state.numbers;
  showButtons();
  touch();
}

function nextCable(by) {
  const names = [...new Set(runs.flatMap((run) => run.cables.map((cable) => cable.name)))];
  if (names.length) choose(names[(names.indexOf(state.cable) + by + (state.cable === null && by < 0 ? 1 : 0) + names.length) % names.length]);
}

function setColour(key) {
  state.byRun = key === "result";
  if (!state.byRun) state.field = key; else state.field = "tension";
  get("colour").value = key;
  panel.choose(state.cable);
  paint();
}

function nextColour() {
  const select = get("colour");
  setColour(select.options[(select.selectedIndex + 1) % select.options.length].value);
}

function setStretch(factor) { state.stretch = factor; get("stretch").value = factor; setView(view?.preset === "own" ? "space" : view?.preset ?? "space"); }

const KEYS = {
  " ": () => play(!state.playing), ArrowRight: () => stepFrame(1), ArrowLeft: () => stepFrame(-1), Home: () => seek(span[0]), End: () => seek(span[1]),
  PageDown: () => seek(state.time + 0.1 * (span[1] - span[0])), PageUp: () => seek(state.time - 0.1 * (span[1] - span[0])),
  "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1), 1: () => setView("space"), 2: () => setView("side"), 3: () => setView("top"),
  f: () => setFollow(!view?.follow), l: () => { state.loop = !state.loop; showButtons(); }, c: nextColour, n: () => { state.names = !state.names; showButtons(); touch(); },
  d: () => { state.dark = !state.dark; paint(); }, "]": () => nextCable(1), "[": () => nextCable(-1), g: () => toggleNumbers(), v: () => setStretch(STRETCHES[(STRETCHES.indexOf(state.stretch) + 1) % STRETCHES.length]),
  w: () => { view?.turn(0, -0.08); touch(); }, s: () => { view?.turn(0, 0.08); touch(); }, a: () => { view?.turn(-0.08, 0); touch(); }, e: () => { view?.turn(0.08, 0); touch(); },
  i: () => { view?.zoom(0.87); touch(); }, o: () => { view?.zoom(1 / 0.87); touch(); },
  "?": () => { get("help").hidden = !get("help").hidden; }, Escape: () => { if (!get("help").hidden) get("help").hidden = true; else { state.numbers = false; choose(null); } },
};

function toggleNumbers() { state.numbers = !state.numbers; choose(state.cable); }

function listen() {
  get("play").addEventListener("click", () => play(!state.playing));
  get("loop").addEventListener("click", KEYS.l);
  get("time").addEventListener("input", () => seek(Number(get("time").value)));
  get("speed").addEventListener("change", () => { state.speed = Number(get("speed").value); });
  get("colour").addEventListener("change", () => setColour(get("colour").value));
  get("stretch").addEventListener("change", () => setStretch(Number(get("stretch").value)));
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => setView(button.dataset.view));
  get("follow").addEventListener("click", KEYS.f);
  get("names").addEventListener("click", KEYS.n);
  get("numbers").addEventListener("click", toggleNumbers);
  get("theme").addEventListener("click", KEYS.d);
  get("menu").addEventListener("click", () => get("menu").setAttribute("aria-expanded", String(get("tools").classList.toggle("open"))));
  get("helpButton").addEventListener("click", KEYS["?"]);
  get("helpClose").addEventListener("click", KEYS["?"]);
  get("panelClose").addEventListener("click", () => { state.numbers = false; choose(null); });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  let pressed = null;
  const canvas = get("scene");
  canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
  canvas.addEventListener("pointerup", (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5 || !view) return;
    const frame = canvas.getBoundingClientRect();
    const hit = nearestCable(runs.filter((run) => run.visible), view, state.stretch, event.clientX - frame.left, event.clientY - frame.top, frame.width, frame.height);
    choose(hit ? hit.cable.name : null);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons || !view) return;
    const frame = canvas.getBoundingClientRect();
    const hit = nearestCable(runs.filter((run) => run.visible), view, state.stretch, event.clientX - frame.left, event.clientY - frame.top, frame.width, frame.height);
    canvas.style.cursor = hit ? "pointer" : "grab";
    canvas.title = hit ? hit.cable.name : "";
  });
  new ResizeObserver(() => { dirty = false; draw(); }).observe(get("stage")); // at once: a stretched picture would show
  addEventListener("hashchange", () => { readAddress(); paint(); });
}

function readAddress() {
  // #t=120&view=side&colour=speed&theme=dark&cable=left&play=1 opens the page in that state
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("theme")) state.dark = given.get("theme") === "dark";
  if (given.has("t")) state.time = Math.min(Math.max(Number(given.get("t")) || 0, span[0]), span[1]);
  if (given.has("stretch") && STRETCHES.includes(Number(given.get("stretch")))) { state.stretch = Number(given.get("stretch")); get("stretch").value = state.stretch; }
  if ([...get("colour").options].some((o) => o.value === given.get("colour"))) { get("colour").value = given.get("colour"); state.byRun = given.get("colour") === "result"; if (!state.byRun) state.field = given.get("colour"); }
  if (["space", "side", "top"].includes(given.get("view")) || given.has("t") || given.has("stretch")) setView(given.get("view") ?? "space");
  if (given.get("follow") === "1") setFollow(true);
  if (given.get("names") === "0") state.names = false;
  if (given.has("numbers")) state.numbers = given.get("numbers") === "1";
  if (given.has("cable") || given.has("numbers")) choose(runs.some((run) => run.cables.some((c) => c.name === given.get("cable"))) ? given.get("cable") : null);
  if (given.get("play") === "1") play(true);
  showButtons();
}

// for those who drive the page from outside
window.fairlead = {
  ready: null, seek, play, choose, setView, setColour,
  state: () => ({ ...state, span, view: view?.preset, follow: view?.follow, webgl: Boolean(renderer), panel: !get("panel").hidden }),
  positions: (run = 0) => Array.from(runs[run].now),
  whereIs: (name, run = 0) => {
    const cable = runs[run].cables.find((c) => c.name === name), stage = get("stage"), frame = stage.getBoundingClientRect();
    const living = Array.from({ length: cable.nodes }, (_, k) => cable.first + k).filter((n) => runs[run].alive[n]);
    const i = living[Math.floor(living.length / 2)];
    const [x, y] = view.onPage(runs[run].now[3 * i], runs[run].now[3 * i + 1], runs[run].now[3 * i + 2] * state.stretch, frame.width, frame.height);
    return [x + frame.left, y + frame.top];
  },
};
window.fairlead.ready = start().then(() => true, (error) => {
  get("failure").textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  get("failure").hidden = false;
  throw error;
});
