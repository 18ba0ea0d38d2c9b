// Beside the scene: one cable along its length and over time, and any other number of the result over time.
import { Plot } from "fairlead/plots.js";
import { shown, scaleFor } from "fairlead/numbers.js";

const LIMITS = { tension: "breaking load", curvature: "smallest bend radius" };

export class Panel {
  constructor(element, seek) {
    this.element = element;
    this.find = (name) => element.querySelector(`[data-part="${name}"]`);
    this.along = new Plot(this.find("along"));
    this.history = new Plot(this.find("history"), seek);
    this.other = new Plot(this.find("other"), seek);
    this.cable = null;
    this.find("others").addEventListener("change", () => this.refresh());
  }

  offer(runs) {
    const names = new Map();
    for (const run of runs) for (const other of run.others.values()) if (!names.has(other.name)) names.set(other.name, other);
    const select = this.find("others");
    for (const { name, label, own } of names.values()) {
      const option = document.createElement("option");
      option.value = name; option.textContent = own ? `${name}: ${label}` : label;
      select.append(option);
    }
    this.find("otherPart").hidden = names.size === 0;
    this.hasOthers = names.size > 0;
  }

  choose(cable) { this.cable = cable; this.cache = null; }

  render(runs, fieldKey, time, span) {
    this.last = [runs, fieldKey, time, span];
    const shownRuns = runs.filter((run) => run.visible);
    this.find("cablePart").hidden = !this.cable;
    this.find("name").textContent = this.cable ?? "Numbers over time";
    if (this.cable) this.renderCable(shownRuns, fieldKey, time, span);
    if (this.hasOthers) this.renderOther(shownRuns, time, span);
  }

  refresh() { if (this.last) this.render(...this.last); }

  renderCable(runs, fieldKey, time, span) {
    const style = getComputedStyle(this.element), several = runs.length > 1;
    const found = runs.map((run) => ({ run, cable: run.cables.find((c) => c.name === this.cable) })).filter(({ cable }) => cable);
    const field = found.map(({ run }) => run.fields.get(fieldKey)).find(Boolean);
    if (!field) return;
    const key = `${this.cable} ${fieldKey} ${runs.map((run) => run.name)}`;
    if (this.cache?.key !== key) this.cache = { key, parts: found.map(({ run, cable }) => ({ ...run.history(cable, fieldKey), ...run.envelope(cable, fieldKey) })) };
    const colours = [style.getPropertyValue("--line1"), style.getPropertyValue("--line2"), style.getPropertyValue("--line3")];
    const along = [], bands = [], history = [], limits = [];
    let longest = 0;
    found.forEach(({ run, cable }, i) => {
      const part = this.cache.parts[i], values = new Float32Array(run.nodes);
      const [frame, share] = run.frameAt(time);
      run.along(run.fields.get(fieldKey), frame, Math.min(frame + 1, run.times.length - 1), share, values);
      limits.push(...cable.parts.map((stretch, k) => ({ value: stretch[fieldKey], from: k ? cable.parts[k - 1].end : 0, to: stretch.end, name: LIMITS[fieldKey] })).filter((limit) => limit.value));
      const y = Array.from({ length: cable.nodes }, (_, k) => (run.alive[cable.first + k] ? values[cable.first + k] : NaN));
      along.push({ name: several ? run.name : "now", x: cable.arc, y, colour: several ? run.colour : colours[0], width: 2.2 });
      if (!several) bands.push({ x: cable.arc, low: part.low, high: part.high, colour: style.getPropertyValue("--band") });
      longest = Math.max(longest, cable.arc[cable.nodes - 1]);
      if (several) history.push({ name: run.name, x: run.times, y: part.most, colour: run.colour });
      else history.push(
        { name: "largest", x: run.times, y: part.most, colour: colours[0], width: 2 },
        { name: "at its start", x: run.times, y: part.start, colour: colours[1], width: 1.3 },
        { name: "at its end", x: run.times, y: part.end, colour: colours[2], width: 1.3, dash: [5, 3] },
      );
    });
    const label = field.label.toLowerCase();
    this.along.show({ title: `${field.label} along the cable`, xLabel: "from its start (m)", unit: field.unit, x: [0, longest], lines: along, bands, limits });
    this.history.show({ title: several ? `Largest ${label} over time` : `${field.label} over time`, xLabel: "time (s)", unit: field.unit, x: span, lines: history, cursor: time, limits: limits.length ? [{ value: Math.min(...limits.map((limit) => limit.value)), name: LIMITS[fieldKey] }] : [] });
    this.legend(several ? history : [...history, { name: "range of the run", colour: style.getPropertyValue("--band"), patch: true }]);
    this.facts(found, fieldKey, field);
  }

  legend(lines) {
    const list = this.find("legend");
    list.replaceChildren(...lines.map(({ name, colour, dash, patch }) => {
      const item = document.createElement("li"), mark = document.createElement("i");
      mark.style.borderTop = patch ? `9px solid ${colour}` : `3px ${dash ? "dashed" : "solid"} ${colour}`;
      item.append(mark, document.createTextNode(name));
      return item;
    }));
  }

  facts(found, fieldKey, field) {
    const texts = found.map(({ run, cable }, i) => {
      const part = this.cache.parts[i];
      let best = 0;
      part.most.forEach((v, f) => { if (v > part.most[best] || isNaN(part.most[best])) best = f; });
      // a peak between two samples is no less true than one at a sample
      const between = fieldKey === "tension" && cable.peak && cable.peak[0] > part.most[best];
      const [most, time] = between ? cable.peak : [part.most[best], run.times[best]];
      const [divisor, unit] = scaleFor(most, field.unit);
      const who = found.length > 1 ? `${run.name}: ` : "";
      const limit = Math.min(...cable.parts.map((stretch) => stretch[fieldKey] ?? Infinity));
      const used = isFinite(limit) ? `, at most ${shown((100 * most) / limit, 3)} % of the ${LIMITS[fieldKey]} of its weakest part` : "";
      return `${who}${shown(cable.arc[cable.nodes - 1])} m, largest ${field.label.toLowerCase()} ${shown(most / divisor)} ${unit} at ${shown(time)} s${used}`;
    });
    this.find("facts").textContent = texts.join("; ");
  }

  renderOther(runs, time, span) {
    const name = this.find("others").value;
    const lines = runs.filter((run) => run.others.has(name)).map((run) => ({ name: runs.length > 1 ? run.name : name, x: run.times, y: run.others.get(name).values, colour: runs.length > 1 ? run.colour : getComputedStyle(this.element).getPropertyValue("--line1"), width: 1.8 }));
    const other = runs.map((run) => run.others.get(name)).find(Boolean);
    if (other) this.other.show({ title: other.own ? name : other.label.split(",")[0], xLabel: "time (s)", unit: other.unit, x: span, lines, cursor: time });
  }
}
