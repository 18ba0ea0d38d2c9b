// A run that grows: one picture a second of the last hour, and the newest, written over until its second is full.
import { Run } from "fairlead/run.js";

const HEAD = 24, KEPT = 3600, DROPPED = 600, EVERY = 1; // bytes; samples; samples; s

export class LiveRun extends Run {
  static async from(header, colour) {
    // the header's scene is the record of a replay with one sample
    const run = await super.from(header.scene, colour);
    run.contact = null;
    run.anchors = header.points; // of every point: the node it goes with, and how far off it stands
    run.still = run.pointPosition.slice();
    run.times = [];
    run.room = 0;
    run.active = new Uint8Array(0);
    run.tension = run.fields.get("tension");
    run.fields = new Map([["tension", run.tension]]);
    run.reserve(64);
    return run;
  }

  reserve(samples) {
    const larger = (old, length) => { const now = new old.constructor(length); now.set(old.subarray(0, Math.min(old.length, length))); return now; };
    this.room = Math.min(samples, KEPT + DROPPED);
    this.position = larger(this.position, this.room * this.nodes * 3);
    this.active = larger(this.active, this.room * this.nodes);
    this.tension.values = larger(this.tension.values, this.room * this.nodes);
    this.pointPosition = larger(this.pointPosition, this.room * this.points.length * 3);
  }

  // a frame: true where the colours' range has to be drawn anew
  take(data) {
    const view = new DataView(data), n = this.nodes;
    if (data.byteLength !== HEAD + 16 * n || view.getUint32(0, false) !== 0x464c5431) throw new Error("not a frame of this twin");
    this.sequence = view.getUint32(4, true);
    this.wall = view.getFloat64(16, true);
    const time = view.getFloat64(8, true), numbers = new Float32Array(data, HEAD), times = this.times;
    if (times.length && time < times[times.length - 1]) times.length = 0; // the twin began anew
    const full = times.length < 2 || times[times.length - 1] - times[times.length - 2] >= EVERY - 1e-6;
    if (full) this.more();
    const slot = times.length - 1;
    times[slot] = time;
    this.position.set(numbers.subarray(0, 3 * n), slot * 3 * n);
    this.tension.values.set(numbers.subarray(3 * n), slot * n);
    for (let i = 0; i < n; i++) this.active[slot * n + i] = isFinite(numbers[3 * i]) ? 1 : 0;
    this.points.forEach((_, k) => {
      const { node, off } = this.anchors[k], at = 3 * (slot * this.points.length + k);
      for (let c = 0; c < 3; c++) this.pointPosition[at + c] = node < 0 ? this.still[3 * k + c] : numbers[3 * node + c] + off[c];
    });
    return this.widen(numbers.subarray(3 * n));
  }

  more() {
    const { times, nodes: n } = this;
    times.push(0);
    if (times.length <= this.room) return;
    if (this.room < KEPT + DROPPED) { this.reserve(2 * this.room); return; }
    times.splice(0, DROPPED);
    this.position.copyWithin(0, DROPPED * n * 3);
    this.active.copyWithin(0, DROPPED * n);
    this.tension.values.copyWithin(0, DROPPED * n);
    this.pointPosition.copyWithin(0, DROPPED * this.points.length * 3);
  }

  widen(tensions) {
    const field = this.tension;
    let least = Infinity, most = -Infinity;
    for (const t of tensions) { if (t < least) least = t; if (t > most) most = t; }
    if (!isFinite(most)) return false;
    field.least = Math.min(field.least, least);
    const before = field.most;
    field.most = Math.max(field.most, most);
    const [low, high] = field.range;
    if (most <= high && least >= low) return field.most > 1.01 * before;
    field.range = [least < low ? Math.min(least, 0) : low, most > high ? 1.15 * most : high];
    return true;
  }
}
