// Numbers as `packing.py` wrote them, and numbers as people read them.

export async function unpack(record) {
  // base64 -> deflate -> four byte planes of folded differences in time -> values
  const text = atob(record.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(inflated).arrayBuffer());
  const rows = record.shape[0];
  const count = planes.length / 4;
  const columns = rows ? count / rows : 0;
  const each = Array.isArray(record.quantum) ? record.quantum : null;
  const now = new Int32Array(columns);
  const step = new Int32Array(columns);
  const values = new Float32Array(count);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let c = 0; c < columns; c++, i++) {
      const folded = planes[i] | (planes[i + count] << 8) | (planes[i + 2 * count] << 16) | (planes[i + 3 * count] << 24);
      const difference = (folded >>> 1) ^ -(folded & 1);
      if (record.order === 2) now[c] += step[c] += difference;
      else now[c] += difference;
      values[i] = now[c] * (each ? each[c] : record.quantum);
    }
  }
  return values;
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
const PREFIXED = new Set(["N", "N m", "J", "W"]);

export function scaleFor(largest, unit) {
  // divisor and unit that give readable numbers: [1000, "kN"] for thousands of newtons
  if (PREFIXED.has(unit)) for (const [divisor, letter] of PREFIXES) if (Math.abs(largest) >= divisor) return [divisor, letter + unit];
  return [1, unit === "1" ? "" : unit.replace("m s-1", "m/s").replace("deg s-1", "°/s").replace(/^deg$/, "°").replace("m-1", "1/m")];
}

export function ticks(low, high, about) {
  // round numbers from low to high
  const rough = (high - low) / Math.max(about, 1);
  if (!(rough > 0) || !isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

export function shown(value, digits = 4) {
  if (!isFinite(value)) return "–";
  if (Math.abs(value) < 1e-12) return "0";
  const text = Number(value.toPrecision(digits));
  return Math.abs(text) >= 1e-3 && Math.abs(text) < 1e6 ? String(text).replace("-", "−") : text.toExponential(2).replace("-", "−");
}
