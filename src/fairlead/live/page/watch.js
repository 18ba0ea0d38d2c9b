// What a watch-keeper looks at: the line of state, alarms to acknowledge, trends with bands, what is estimated.
import { Plot } from "fairlead/plots.js";
import { scaleFor, shown } from "fairlead/numbers.js";

const get = (id) => document.getElementById(id);
const KEPT = 3600, SHOWN = 600; // samples; s of the past that a trend shows
const FILTER = { good: "good", starting: "amber", uncertain: "amber", inconsistent: "amber", "open loop": "red" };

export const seconds = (s) => (s === null || s === undefined ? "never" : s < 99.5 ? `${s < 10 ? s.toFixed(1) : s.toFixed(0)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${shown(s / 3600, 2)} h`);

function part(tag, text, level) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (level) element.dataset.level = level;
  return element;
}

export function showState(state) {
  const filter = get("filter"), { health } = state;
  filter.textContent = health.state === "good" ? `estimate good, ${health.members} members` : `estimate ${health.state}${health.reason ? `: ${health.reason}` : ""}`;
  if (health.note) filter.textContent += ` (${health.note})`;
  filter.dataset.level = health.note && health.state === "good" ? "amber" : FILTER[health.state] ?? "amber";
  get("sensors").replaceChildren(...together(state.sensors).map(({ name, age, silent, fault }) => {
    const why = silent && fault ? `: ${fault}` : "";
    const item = part("span", `${name} ${seconds(age)}${why}`, silent ? "red" : fault ? "amber" : "good");
    item.title = fault || (silent ? "silent" : "age of the latest value");
    return item;
  }));
  get("margin").textContent = `${shown(state.margin, 2)} × real time${state.late > 0.2 ? `, ${seconds(state.late)} behind` : ""}`;
  get("margin").dataset.level = state.margin < 1.2 || state.late > 1 ? "red" : "";
  showParameters(state.parameters ?? []);
}

function together(sensors) {
  // buoy_1, buoy_2, buoy_3 that are in order and of one age become buoy_1…3: a line of twenty tells nothing at a glance
  const found = [];
  for (const one of sensors) {
    const [, head, number, tail] = one.name.match(/^(.*?)(\d+)(\D*)$/) ?? [], last = found.at(-1);
    const alike = last?.head !== undefined && last.head === head && last.tail === tail && last.next === Number(number);
    if (alike && ![one, last].some(({ silent, fault }) => silent || fault) && seconds(last.age) === seconds(one.age)) {
      last.name = `${head}${last.first}…${number}${tail}`;
      last.next += 1;
    } else found.push({ ...one, head, tail, first: number, next: Number(number) + 1 });
  }
  return found;
}

function withSpread(mean, sd) {
  // as many digits as the spread leaves of use: −0.003 ± 0.026, not −0.00288 ± 0.026
  if (!(sd > 0)) return `${shown(mean, 3)} ± 0`;
  const decimals = Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(sd))));
  return `${mean.toFixed(decimals).replace("-", "−")} ± ${sd.toFixed(decimals)}`;
}

function showParameters(parameters) {
  get("parameters").hidden = !parameters.length;
  get("parameters").querySelector("table").replaceChildren(...parameters.map(({ label, unit, mean, sd, words }) => {
    const row = document.createElement("tr"), first = part("td", label), factor = unit === "1" ? "" : ` ${unit}`;
    if (words) first.append(part("small", words));
    row.append(first, part("td", `${withSpread(mean, sd)}${factor}`));
    return row;
  }));
}

export function showAlarms(alarms, acknowledge) {
  get("alarms").replaceChildren(...alarms.filter((alarm) => alarm.level !== "clear").map((alarm) => {
    const card = document.createElement("div"), [divisor, unit] = scaleFor(Math.max(Math.abs(alarm.value ?? 0), Math.abs(alarm.limit ?? 0)), alarm.unit);
    card.className = alarm.acknowledged ? "alarm seen" : "alarm";
    card.dataset.level = alarm.level;
    const when = alarm.ahead === 0 ? "now" : alarm.ahead === null ? "" : `, in about ${seconds(alarm.ahead)}`;
    const chance = alarm.probability === null ? "" : `, ${Math.round(100 * alarm.probability)} % likely`;
    const value = alarm.value === null ? "" : `: ${shown(alarm.value / divisor, 3)} ${unit}`;
    card.append(part("span", `${alarm.level === "red" ? "▲" : "△"} ${alarm.name}${value}${alarm.ahead === 0 ? ", now" : `${chance}${when}`}`));
    if (alarm.acknowledged) card.append(part("span", "seen"));
    else { const button = part("button", "Acknowledge"); button.addEventListener("click", () => acknowledge(alarm.name)); card.append(button); }
    return card;
  }));
}

export class Trends {
  // names: [{name, label, unit, limits: [{value, name}]}]
  constructor(names, seek) {
    this.names = names;
    this.times = [];
    this.values = new Map(names.map(({ name }) => [name, { mean: [], low: [], high: [] }]));
    this.forecast = null;
    this.asked = null;
    this.plots = names.map(({ name }) => { const canvas = document.createElement("canvas"); canvas.title = name; canvas.getContext("2d", { willReadFrequently: true }); return [canvas, new Plot(canvas, seek)]; });
    get("trends").replaceChildren(...this.plots.map(([canvas]) => canvas));
  }

  take({ time, values }) {
    if (this.times.length && time <= this.times[this.times.length - 1]) { if (time < this.times[this.times.length - 1]) this.clear(); else return; }
    this.times.push(time);
    for (const [name, kept] of this.values) { const [mean, low, high] = values[name] ?? [NaN, NaN, NaN]; kept.mean.push(mean ?? NaN); kept.low.push(low ?? NaN); kept.high.push(high ?? NaN); }
    if (this.times.length > KEPT + 300) { this.times.splice(0, 300); for (const kept of this.values.values()) for (const list of Object.values(kept)) list.splice(0, 300); }
  }

  clear() { this.times.length = 0; for (const kept of this.values.values()) for (const list of Object.values(kept)) list.length = 0; }

  draw(now) {
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
    const ahead = Math.max(now, ...[this.forecast, this.asked].filter(Boolean).map(({ times }) => times[times.length - 1]));
    const first = this.times.findIndex((t) => t >= now - SHOWN);
    this.names.forEach(({ name, label, unit, limits }, k) => {
      const kept = this.values.get(name), from = (list) => (first < 0 ? [] : list.slice(first)), x = from(this.times);
      const lines = [{ name: "estimate", x, y: from(kept.mean), colour: colour("--line1"), width: 2 }];
      const bands = [{ x, low: from(kept.low), high: from(kept.high), colour: colour("--band") }];
      for (const [what, ink, band, said] of [[this.forecast, "--line1", "--band", "forecast"], [this.asked, "--not-live", null, "what if"]]) {
        const part = what?.values[name];
        if (!part) continue;
        lines.push({ name: said, x: what.times, y: part.mean, colour: colour(ink), dash: [6, 4], width: 1.8 });
        bands.push({ x: what.times, low: part.low, high: part.high, colour: band ? colour(band) : `${colour(ink)}44` });
      }
      this.plots[k][1].show({ title: label, xLabel: "time (s)", unit, x: [x[0] ?? now, Math.max(ahead, (x[0] ?? now) + 60)], lines, bands, cursor: now, limits });
    });
  }
}
