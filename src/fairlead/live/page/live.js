// The live page: frames of the socket into the scene of the replay, and everything around it.
import { LiveRun } from "fairlead/liverun.js";
import { Connection, tokens } from "fairlead/connection.js";
import { Trends, seconds, showAlarms, showState } from "fairlead/watch.js";
import { Sandbox } from "fairlead/sandbox.js";
import { begin, grow, hooks, paint, ready, setFollow, state } from "fairlead/main.js";
import { RUN_COLOURS } from "fairlead/colours.js";

const get = (id) => document.getElementById(id);
const EVERY = 1000; // ms between drawings of the trends
const STALE = 3000; // ms without a frame after which the picture is not called live
const past = { frames: 0, gaps: 0, bad: 0, drawing: 0 };
let run = null, built = false, busy = false, plotted = 0, identity = null, connection = null, trends = null, sandbox = null, live = true, following = false, last = 0, started = null;

function setLive(on) {
  live = on;
  get("liveButton").setAttribute("aria-pressed", String(on));
  document.body.classList.toggle("frozen", !on);
  if (built) { busy = false; plotted = 0; show(); }
}

function show() {
  // the next picture only when the last one is on the screen: a slow machine draws fewer, and stays answerable
  if (busy) return;
  busy = true;
  requestAnimationFrame(() => requestAnimationFrame(() => { busy = false; }));
  const times = run.times, now = performance.now();
  following = true;
  grow([times[0], times[times.length - 1]], live);
  following = false;
  if (now - plotted < EVERY) return;
  plotted = now;
  trends.draw(state.time);
}

async function header(content) {
  if (content.identity === identity) { connected(); return; }
  if (run) { location.reload(); return; } // another system: the page is built anew
  identity = content.identity;
  run = await LiveRun.from(content, RUN_COLOURS[0]);
  trends = new Trends(content.trends, (time) => { fairlead.seek(time); });
  sandbox = new Sandbox(content, () => connection, (answer) => { trends.asked = answer; document.body.classList.toggle("asking", Boolean(answer)); trends.draw(state.time); });
  await before(content);
  built = true;
  connected();
}

async function before(content) {
  // the hour before we came
  try {
    const data = await (await connection.fetch("/past")).arrayBuffer(), size = 24 + 16 * run.nodes;
    for (let at = 0; at + size <= data.byteLength; at += size) run.take(data.slice(at, at + size));
    for (const sample of (await (await connection.fetch("/trends")).json()).content) trends.take(sample);
  } catch (error) { console.info(`no past: ${error.message}`); }
  if (!run.times.length) run.times.push(content.scene.times[0]), run.active.fill(1);
  begin([run]);
  get("accuracy").textContent = "The picture is the mean of the members. Shapes are as good as the sensors; tensions are only as good as the load cells.";
  get("facts").textContent = content.facts ?? "";
  state.time = run.times[run.times.length - 1];
  setFollow(content.travels);
  fairlead.setView(new URLSearchParams(location.hash.slice(1)).get("view") ?? "space"); // around what is now
  state.dark = !location.hash.includes("theme=light"); // a bridge is dark
  paint();
}

function connected() {
  last = performance.now();
  document.body.classList.remove("lost");
  get("connection").textContent = "connected";
  get("connection").dataset.level = "good";
  started?.();
  started = null;
}

function lost(why) {
  document.body.classList.add("lost");
  get("connection").textContent = why;
  get("connection").dataset.level = "red";
}

function frame(data) {
  if (!built) return;
  const began = performance.now(), before = run.sequence;
  try {
    if (run.take(data)) paint();
  } catch (error) { past.bad++; return; }
  past.frames++;
  if (before !== undefined && run.sequence > before + 1) past.gaps++;
  if (document.body.classList.contains("lost")) connected();
  last = performance.now();
  show();
  past.drawing += performance.now() - began;
}

function text(kind, content) {
  if (kind === "state") { showState(content); get("facts").textContent = content.words ?? get("facts").textContent; }
  else if (kind === "alarms") showAlarms(content, (name) => connection.send({ acknowledge: name }));
  else if (kind === "trends" && built) trends.take(content);
  else if (kind === "forecast" && trends) trends.forecast = content;
  else if (kind === "sandbox") sandbox?.take(content);
  else if (kind === "refused") sandbox?.refuse(content);
}

hooks.seek = () => { if (!following) setLive(false); };
state.moving = true;
hooks.end = () => setLive(true);
get("liveButton").addEventListener("click", () => setLive(true));
get("play").addEventListener("click", () => { if (live) setLive(false); });
addEventListener("keydown", (event) => { if (event.key === "End") setLive(true); });
setInterval(() => { if (run && performance.now() - last > STALE) lost(`nothing new for ${seconds((performance.now() - last) / 1000)}`); }, 500);
ready(new Promise((resolve) => { started = resolve; connection = new Connection(tokens(), { header, frame, text, lost }); }));
Object.assign(window.fairlead, {
  live: () => ({ live, ...past, sequence: run?.sequence, samples: run?.times.length ?? 0, trends: trends?.times.length ?? 0, identity }),
  drop: () => connection.socket.close(),
});
