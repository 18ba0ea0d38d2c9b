// One result: its numbers unpacked, and what it is like at any time.
import { unpack } from "fairlead/numbers.js";

export class Run {
  static async from(record, colour) {
    const run = new this();
    Object.assign(run, record, { colour, visible: true });
    const optional = async (packed) => (packed ? await unpack(packed) : null);
    run.position = await unpack(record.position);
    run.active = await optional(record.active);
    run.contact = await optional(record.contact);
    run.pointPosition = await unpack(record.point_position);
    run.pointPresent = await optional(record.point_present);
    run.fields = new Map();
    for (const field of record.fields) run.fields.set(field.key, { ...field, record: null, values: await unpack(field.record) });
    run.others = new Map();
    for (const other of record.others) run.others.set(other.name, { ...other, record: null, values: await unpack(other.record) });
    run.nodes = record.cables.reduce((sum, cable) => sum + cable.nodes, 0);
    let first = 0;
    for (const cable of run.cables) { cable.first = first; first += cable.nodes; }
    run.typeValue = new Float32Array(run.nodes);
    run.now = new Float32Array(run.nodes * 3);
    run.alive = new Uint8Array(run.nodes);
    run.touching = new Uint8Array(run.nodes);
    run.value = new Float32Array(run.nodes);
    run.pointNow = new Float32Array(run.points.length * 3);
    run.pointAlive = new Uint8Array(run.points.length);
    return run;
  }

  partAt(cable, arc) {
    // the stretch of one type at a distance along a cable
    return cable.parts.find((part) => arc <= part.end) ?? cable.parts[cable.parts.length - 1];
  }

  numberTypes(names) {
    // every node by the number of its type, so that the middle of a colour is drawn
    for (const cable of this.cables) for (let k = 0; k < cable.nodes; k++) {
      const near = k + 1 < cable.nodes ? k + 1 : Math.max(k - 1, 0);
      this.typeValue[cable.first + k] = names.indexOf(this.partAt(cable, 0.5 * (cable.arc[k] + cable.arc[near])).type) + 0.5;
    }
  }

  frameAt(time) {
    // the kept sample at or before a time, and how far it is to the next, 0 to 1
    const times = this.times;
    if (time <= times[0] || times.length === 1) return [0, 0];
    if (time >= times[times.length - 1]) return [times.length - 1, 0];
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle; else high = middle;
    }
    return [low, (time - times[low]) / (times[high] - times[low])];
  }

  moveTo(time, fieldKey) {
    const [frame, part] = this.frameAt(time);
    const next = Math.min(frame + 1, this.times.length - 1);
    blend(this.position, this.active, this.nodes, frame, next, part, this.now, this.alive);
    blend(this.pointPosition, this.pointPresent, this.points.length, frame, next, part, this.pointNow, this.pointAlive);
    const near = part < 0.5 ? frame : next;
    for (let i = 0; i < this.nodes; i++) this.touching[i] = this.contact && this.alive[i] ? this.contact[near * this.nodes + i] : 0;
    const field = this.fields.get(fieldKey);
    if (fieldKey === "type") this.value.set(this.typeValue);
    if (field) this.along(field, frame, next, part, this.value);
  }

  along(field, frame, next, part, into) {
    const n = this.nodes, values = field.values, active = this.active;
    for (let i = 0; i < n; i++) {
      const a = values[frame * n + i], b = values[next * n + i];
      const both = !active || (active[frame * n + i] && active[next * n + i]);
      into[i] = both ? a + part * (b - a) : a;
    }
  }

  otherAt(name, time) {
    const other = this.others.get(name);
    if (!other) return NaN;
    const [frame, part] = this.frameAt(time);
    const next = Math.min(frame + 1, this.times.length - 1);
    return other.values[frame] + part * (other.values[next] - other.values[frame]);
  }

  history(cable, fieldKey) {
    // over time: largest in the cable, at its first and at its last node in the water; NaN where none is
    const values = this.fields.get(fieldKey).values, n = this.nodes, samples = this.times.length;
    const most = new Float32Array(samples), start = new Float32Array(samples).fill(NaN), end = new Float32Array(samples).fill(NaN);
    for (let f = 0; f < samples; f++) {
      let largest = -Infinity;
      for (let k = 0; k < cable.nodes; k++) {
        const i = f * n + cable.first + k;
        if (this.active && !this.active[i]) continue;
        if (values[i] > largest) largest = values[i];
        if (isNaN(start[f])) start[f] = values[i];
        end[f] = values[i];
      }
      most[f] = isFinite(largest) ? largest : NaN;
    }
    return { most, start, end };
  }

  envelope(cable, fieldKey) {
    const values = this.fields.get(fieldKey).values, n = this.nodes;
    const low = new Float32Array(cable.nodes).fill(NaN), high = new Float32Array(cable.nodes).fill(NaN);
    for (let f = 0; f < this.times.length; f++) for (let k = 0; k < cable.nodes; k++) {
      const i = f * n + cable.first + k;
      if (this.active && !this.active[i]) continue;
      if (!(values[i] >= low[k])) low[k] = values[i];
      if (!(values[i] <= high[k])) high[k] = values[i];
    }
    return { low, high };
  }
}

function blend(values, active, count, frame, next, part, into, alive) {
  for (let i = 0; i < count; i++) {
    const a = (frame * count + i), b = (next * count + i);
    const first = !active || active[a] > 0.5, second = !active || active[b] > 0.5;
    alive[i] = first ? 1 : 0;
    const share = first && second ? part : 0;
    for (let k = 0; k < 3; k++) into[3 * i + k] = values[3 * a + k] + share * (values[3 * b + k] - values[3 * a + k]);
  }
}
