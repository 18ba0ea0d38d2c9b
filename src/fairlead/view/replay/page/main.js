// Puts the page together: takes runs, draws them when something changed, and listens.
import * as THREE from "three";
import { Cables } from "fairlead/cables.js";
import { Sheet } from "fairlead/sea.js";
import { Labels, Marks } from "fairlead/marks.js";
import { Panel } from "fairlead/panel.js";
import { View, nearestCable } from "fairlead/view.js";
import { scaleFor, shown, ticks } from "fairlead/numbers.js";
import { PALETTES, TYPE_COLOURS } from "fairlead/colours.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const STRETCHES = [1, 2, 5, 10, 20];
const SHARPNESS = [1, 0.7, 0.5]; // of the picture while it moves, where the machine draws slowly
const get = (id) => document.getElementById(id);
THREE.ColorManagement.enabled = false;

export const state = { time: 0, playing: false, speed: 1, loop: false, field: "tension", byRun: false, cable: null, names: true, stretch: 1, dark: false, numbers: false, drawn: 0 };
let runs = [], tubes = [], marks = [], sheets = [], view = null, renderer = null, scene = null, panel = null, labels = null;
let types = [], software = false, level = 0, interval = 0, sized = [0, 0], played = { wall: 0, time: 0, images: 0 };
let span = [0, 1], box = null, cloud = [], spacing = 10, dirty = true, awaited = false, lastTick = 0, lastMiddle = null;
const shared = { pixel: { value: 0.001 }, width: { value: 2.6 }, palette: { value: null }, low: { value: 0 }, high: { value: 1 } };

// what a page around this one wants to hear of: `seek` (somebody asked for a time), `end` (the film came to its end)
export const hooks = {};

export function begin(found) {
  runs = found;
  span = [Math.min(...runs.map((run) => run.times[0])), Math.max(...runs.map((run) => run.times[run.times.length - 1]))];
  state.time = span[0];
  state.byRun = runs.length > 1;
  state.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  state.speed = SPEEDS.reduce((best, s) => (Math.abs(Math.log(s * 25 / Math.max(span[1] - span[0], 1e-6))) < Math.abs(Math.log(best * 25 / Math.max(span[1] - span[0], 1e-6))) ? s : best), 1);
  types = [...new Map(runs.flatMap((run) => run.cables.flatMap((cable) => cable.parts.map((part) => [part.type, part])))).values()];
  for (const run of runs) run.numberTypes(types.map((part) => part.type));
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
  if (types.length > 1) option(get("colour"), "type", "Section");
  get("colour").value = state.byRun ? "result" : state.field;
  for (const s of SPEEDS) option(get("speed"), s, `× ${s}`);
  for (const s of STRETCHES) option(get("stretch"), s, s === 1 ? "to scale" : `vertical × ${s}`);
  get("speed").value = state.speed;
  const slider = get("time");
  slider.min = span[0]; slider.max = span[1]; slider.step = "any"; slider.value = state.time;
}

function build() {
  const canvas = get("scene");
  software = drawnBySoftware();
  level = software ? 1 : 0;
  try {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: !software, alpha: true });
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
  view = new View(canvas, touch);
  tubes = runs.map((run) => new Cables(run, shared));
  marks = runs.map((run) => new Marks(run));
  scene.add(...tubes.map((tube) => tube.object), ...marks.map((mark) => mark.object));
  measure();
  const deep = box.low.z, size = Math.max(box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z, 1e-3);
  const bed = runs[0].seabed;
  if (bed && deep - levelOf(bed, box) < 2 * size) sheets.push(new Sheet({ level: -bed.depth, slope: bed.slope, relief: bed.relief, order: 0, fineLines: 0.45, slow: software }));
  else sheets.push(new Sheet({ level: deep - 0.06 * size, order: 1, fineLines: 0.7 }));
  if (runs[0].water && Math.min(Math.abs(box.high.z), Math.abs(deep)) < 2 * size) sheets.push(new Sheet({ level: 0, waves: runs[0].waves, ramp: runs[0].wave_ramp, order: 7, fineLines: 0, slow: software }));
  for (const sheet of sheets) scene.add(sheet.object);
  get("legend").hidden = false;
  get("legendBed").hidden = !runs.some((run) => run.contact);
  const clamped = runs.flatMap((run) => run.cables.flatMap((cable) => cable.clamped));
  get("legendFloat").hidden = !clamped.some((item) => item.floats);
  get("legendWeight").hidden = !clamped.some((item) => !item.floats);
  offerStretch();
  setView("space");
}

const levelOf = (bed, around) => bed.relief ? Math.max(...bed.relief.heights) : -bed.depth + Math.max(bed.slope[0] * around.low.x, bed.slope[0] * around.high.x) + Math.max(bed.slope[1] * around.low.y, bed.slope[1] * around.high.y);

function drawnBySoftware() {
  // whether the browser draws without a graphics card
  const pen = document.createElement("canvas").getContext("webgl2"), told = pen?.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software|basic render/i.test(told ? pen.getParameter(told.UNMASKED_RENDERER_WEBGL) : "");
}

function offerStretch() {
  // a system that is flat to scale: the factor that would show its heights
  const wide = Math.max(box.high.x - box.low.x, box.high.y - box.low.y), tall = box.high.z - box.low.z;
  const factor = tall > 0 ? STRETCHES.find((s) => s * tall >= 0.15 * wide) ?? STRETCHES[STRETCHES.length - 1] : 1;
  get("offer").hidden = factor === 1 || state.stretch !== 1;
  get("offer").textContent = `flat: heights × ${factor}`;
  get("offer").onclick = () => setStretch(factor);
}

function measure() {
  // the box around the system: around all its ways, or, where it travels far, around the widest it is at any time
  const whole = new THREE.Box3(), wide = new THREE.Vector3();
  let first = null;
  const clouds = [];
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
      clouds.push(...[[run.position, run.active, run.nodes], [run.pointPosition, run.pointPresent, run.points.length]].flatMap(([values, active, count]) => Array.from({ length: count }, (_, i) => i).filter((i) => !active || active[f * count + i]).map((i) => ({ f, at: new THREE.Vector3().fromArray(values, 3 * (f * count + i)) }))));
      wide.max(now.getSize(place));
    }
  }
  if (!first) first = whole.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)).clone();
  const size = whole.getSize(new THREE.Vector3());
  const travels = Math.max(size.x, size.y) > 1.6 * Math.max(wide.x, wide.y, wide.z, 1e-3);
  box = { low: (travels ? first : whole).min.clone(), high: (travels ? first : whole).max.clone(), travels };
  cloud = clouds.filter(({ f }) => !travels || f === 0).map(({ at }) => at);
  for (const run of runs) for (const { point, solid } of run.bodies) {
    const reach = Math.max(...solid.size, ...solid.spokes.flat().map((s) => 2 * Math.abs(s))) / 2, at = new THREE.Vector3().fromArray(run.pointPosition, 3 * point);
    cloud.push(at.clone().addScalar(reach), at.clone().addScalar(-reach));
    box.low.min(at.clone().addScalar(-reach)); box.high.max(at.clone().addScalar(reach));
  }
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
    return { low, high, cloud: cloud.map((at) => at.clone().setZ(at.z * state.stretch).add(by)) };
  }
  return { low, high, cloud: cloud.map((at) => at.clone().setZ(at.z * state.stretch)) };
}

// --- drawing -------------------------------------------------------------------------------------------------------

// something changed: it is drawn in the next frame. Where nothing changes no frame is asked for, and a laptop rests
export function touch() {
  dirty = true;
  if (awaited) return;
  awaited = true;
  requestAnimationFrame(tick);
}

function tick(now) {
  awaited = false;
  const passed = Math.min(Math.max((now - lastTick) / 1000, 0), 1);
  lastTick = now;
  if (state.playing) { keepPace(passed); advance(passed * state.speed); }
  if (!dirty) return;
  dirty = false;
  draw();
}

function keepPace(passed) {
  // draw less sharply where images come slowly, and say at what pace the film really runs
  interval = 0.85 * interval + 0.15 * passed;
  if (interval > 0.07 && level < SHARPNESS.length - 1) { level++; interval = 0.03; }
  played.wall += passed; played.time += Math.min(passed * state.speed, span[1] - state.time); played.images++;
  if (played.wall < 1) return;
  const pace = played.time / played.wall, images = played.images / played.wall;
  state.pace = pace;
  get("rate").textContent = `${pace < 0.9 * state.speed ? "only " : ""}× ${shown(pace, 2)}, ${shown(images, 2)} images/s`;
  played = { wall: 0, time: 0, images: 0 };
}

function advance(by) {
  let time = state.time + by;
  if (time >= span[1]) {
    if (state.loop && span[1] > span[0]) time = span[0] + ((time - span[0]) % (span[1] - span[0]));
    else { time = span[1]; play(false); hooks.end?.(); }
  }
  state.time = time;
  touch();
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
  if (!get("panel").hidden) panel.render(runs, state.field === "type" ? "tension" : state.field, state.time, span);
  state.drawn++;
}

function drawScene() {
  const stage = get("stage"), wide = stage.clientWidth, tall = stage.clientHeight, ratio = Math.min(window.devicePixelRatio || 1, 2) * (state.playing || state.moving ? SHARPNESS[level] : 1);
  if (renderer.domElement.width !== Math.floor(wide * ratio) || renderer.domElement.height !== Math.floor(tall * ratio) || renderer.getPixelRatio() !== ratio) {
    renderer.setPixelRatio(ratio);
    renderer.setSize(wide, tall, false);
    if (sized[0] !== wide || sized[1] !== tall) {
      sized = [wide, tall];
      view.fit(wide, tall);
      if (view.preset !== "own") setView(view.preset);
    }
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
    marks[i].update(state.time, state.stretch, ratio, (x, y, z) => shared.pixel.value * view.camera.position.distanceTo(new THREE.Vector3(x, y, z)));
  });
  const around = view.follow ? middle : box.low.clone().add(box.high).multiplyScalar(0.5);
  for (const sheet of sheets) sheet.place(around, 0.9 * Math.max(size.x, size.y, size.z) + 4 * spacing, spacing, state.stretch, state.time);
  renderer.render(scene, view.camera);
  const names = state.names && first >= 0 ? marks[first].names(state.time) : [];
  labels.show(names, (name) => view.onPage(name.x, name.y, name.z * state.stretch, wide, tall), covered());
  const floor = sheets.find((sheet) => sheet.object.renderOrder === 1);
  get("grid").textContent = floor ? `grid ${shown(spacing)} m, drawn at z = ${shown(floor.uniforms.level.value, 3)} m` : `grid ${shown(spacing)} m`;
}

function covered() {
  // boxes on the stage, where names would not be seen
  const at = get("stage").getBoundingClientRect();
  const boxes = ["bar", "head", "legend"].map((id) => get(id)).filter((one) => one && !one.hidden).map((one) => one.getBoundingClientRect());
  return boxes.filter((box) => box.width > 0).map((box) => [box.left - at.left, box.top - at.top, box.right - at.left, box.bottom - at.top]);
}

export function paint() {
  // colours that depend on dark or light, and on what the cables are coloured by
  const root = document.documentElement;
  root.dataset.theme = state.dark ? "dark" : "light";
  get("theme").textContent = state.dark ? "Light" : "Dark";
  const style = getComputedStyle(root), byType = state.field === "type" && !state.byRun;
  const stops = byType ? types.map((_, i) => new THREE.Color(TYPE_COLOURS[i % TYPE_COLOURS.length]).toArray().map((v) => Math.round(255 * v))) : PALETTES[state.dark ? "dark" : "light"];
  const pixels = new Uint8Array(stops.flatMap(([r, g, b]) => [r, g, b, 255]));
  shared.palette.value?.dispose();
  shared.palette.value = new THREE.DataTexture(pixels, stops.length, 1);
  shared.palette.value.magFilter = shared.palette.value.minFilter = byType ? THREE.NearestFilter : THREE.LinearFilter;
  shared.palette.value.needsUpdate = true;
  for (const tube of tubes) tube.material.uniforms.palette = shared.palette;
  for (const sheet of sheets) {
    const kind = { 0: "bed", 1: "floor", 7: "water" }[sheet.object.renderOrder];
    sheet.paint(style.getPropertyValue(`--${kind}`).trim(), style.getPropertyValue(`--${kind}Line`).trim(), { bed: 0.75, floor: 0.02, water: sheet.moves ? 0.34 : 0.2 }[kind]);
  }
  paintBar(stops);
  paintTypes(byType);
  touch();
}

function paintTypes(byType) {
  // the types of cable and their colours; one that floats says so
  get("legendTypes").hidden = !byType;
  if (byType) { shared.low.value = 0; shared.high.value = types.length; }
  get("legendTypes").replaceChildren(...types.map((part, i) => {
    const item = document.createElement("span"), patch = document.createElement("i");
    patch.style.background = TYPE_COLOURS[i % TYPE_COLOURS.length];
    item.append(patch, document.createTextNode(part.floats ? `${part.type} (floats)` : part.type));
    return item;
  }));
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
  // the bar ends where nearly all values do: what lies beyond is said at its ends, and the true extreme below
  const most = Math.max(...fields.map((field) => field.most)), least = Math.min(...fields.map((field) => field.least));
  const beyond = [[most > high + 0.001 * (high - low), high, ">"], [least < low - 0.001 * (high - low), low, "<"]].filter(([there]) => there);
  const inner = ticks(low / divisor, high / divisor, 5).filter((value) => !beyond.some(([, end]) => Math.abs(value * divisor - end) < 0.12 * (high - low)));
  const marks = [...inner.map((value) => [value, shown(value), ""]), ...beyond.map(([, end, sign]) => [end / divisor, `${sign} ${shown(end / divisor, 3)}`, "beyond"])];
  get("barTicks").replaceChildren(...marks.map(([value, text, kind]) => {
    const mark = document.createElement("span");
    mark.textContent = text; mark.className = kind;
    mark.style.bottom = `${(100 * (value * divisor - low)) / (high - low)}%`;
    return mark;
  }));
  get("barMost").textContent = `largest ${shown(most / divisor)} ${unit}`;
}

// --- what people do ------------------------------------------------------------------------------------------------

function play(on) {
  if (on && state.time >= span[1]) state.time = span[0];
  state.playing = on;
  lastTick = performance.now();
  if (!on) get("rate").textContent = "";
  played = { wall: 0, time: 0, images: 0 };
  get("play").textContent = on ? "❚❚" : "▶";
  get("play").setAttribute("aria-label", on ? "Pause" : "Play");
  touch();
}

function seek(time) { state.time = Math.min(Math.max(time, span[0]), span[1]); hooks.seek?.(); touch(); }

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

export function setFollow(on) { if (view) { view.follow = on; lastMiddle = null; showButtons(); touch(); } }

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

function setStretch(factor) { state.stretch = factor; get("stretch").value = factor; offerStretch(); setView(view?.preset === "own" ? "space" : view?.preset ?? "space"); }

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
  if (given.has("stretch") && STRETCHES.includes(Number(given.get("stretch")))) { state.stretch = Number(given.get("stretch")); get("stretch").value = state.stretch; if (renderer) offerStretch(); }
  if ([...get("colour").options].some((o) => o.value === given.get("colour"))) { get("colour").value = given.get("colour"); state.byRun = given.get("colour") === "result"; if (!state.byRun) state.field = given.get("colour"); }
  if (["space", "side", "top"].includes(given.get("view")) || given.has("t") || given.has("stretch")) setView(given.get("view") ?? "space");
  if (given.get("follow") === "1") setFollow(true);
  if (given.get("names") === "0") state.names = false;
  if (given.has("numbers")) state.numbers = given.get("numbers") === "1";
  if (given.has("cable") || given.has("numbers")) choose(runs.some((run) => run.cables.some((c) => c.name === given.get("cable"))) ? given.get("cable") : null);
  if (given.get("loop") === "1") state.loop = true;
  if (given.get("play") === "1") play(true);
  showButtons();
}

// runs grew: what there is now lasts from span[0] to span[1]; where `follow` is set the picture goes there
export function grow(now, follow) {
  span = now;
  const slider = get("time");
  slider.min = span[0]; slider.max = span[1];
  if (follow) state.time = span[1];
  panel.choose(state.cable);
  touch();
}

// for those who drive the page from outside
window.fairlead = {
  ready: null, seek, play, choose, setView, setColour,
  state: () => ({ ...state, span, view: view?.preset, follow: view?.follow, webgl: Boolean(renderer), software, level, panel: !get("panel").hidden }),
  extent: () => {
    // on the page, what the nodes of all cables reach now: left, top, right, bottom
    const wide = get("stage").clientWidth, tall = get("stage").clientHeight, seen = [];
    for (const run of runs) for (let i = 0; i < run.nodes; i++) if (run.alive[i]) seen.push(view.onPage(run.now[3 * i], run.now[3 * i + 1], run.now[3 * i + 2] * state.stretch, wide, tall));
    return [Math.min(...seen.map((s) => s[0])), Math.min(...seen.map((s) => s[1])), Math.max(...seen.map((s) => s[0])), Math.max(...seen.map((s) => s[1]))];
  },
  positions: (run = 0) => Array.from(runs[run].now),
  whereIs: (name, run = 0) => {
    const cable = runs[run].cables.find((c) => c.name === name), stage = get("stage"), frame = stage.getBoundingClientRect();
    const living = Array.from({ length: cable.nodes }, (_, k) => cable.first + k).filter((n) => runs[run].alive[n]);
    const i = living[Math.floor(living.length / 2)];
    const [x, y] = view.onPage(runs[run].now[3 * i], runs[run].now[3 * i + 1], runs[run].now[3 * i + 2] * state.stretch, frame.width, frame.height);
    return [x + frame.left, y + frame.top];
  },
};

// the page stands when `starting` has come true; where it does not, it says why
export function ready(starting) {
  window.fairlead.ready = starting.then(() => true, (error) => {
    get("failure").textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
    get("failure").hidden = false;
    throw error;
  });
}
