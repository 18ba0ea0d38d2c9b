// The surface, moving where there are waves, and the seabed: wide sheets with a grid of round distances that fade out.
import * as THREE from "three";

const MOST = 64;
const VERTEX = `
  uniform vec2 middle; uniform float reach, stretch, level, time, grown, cell; uniform vec2 slope, sun; uniform float crisp;
  uniform int waves; uniform vec4 wave[${MOST}]; uniform float amplitude[${MOST}];
  uniform int surveyed; uniform sampler2D relief; uniform vec4 extent;
  varying vec2 ground, local; varying float light;
  float surveyedAt(vec2 at) { // between four heights, held beyond the edges
    vec2 place = clamp((at - extent.xy) / (extent.zw - extent.xy), 0.0, 1.0) * float(surveyed - 1);
    ivec2 low = ivec2(min(floor(place), float(surveyed - 2))); vec2 part = place - vec2(low);
    float a = texelFetch(relief, low, 0).r, b = texelFetch(relief, low + ivec2(1, 0), 0).r;
    float c = texelFetch(relief, low + ivec2(0, 1), 0).r, d = texelFetch(relief, low + ivec2(1, 1), 0).r;
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
  }
  void main() {
    local = position.xy; ground = middle + position.xy * reach;
    float still = level + dot(slope, ground); vec2 tilt = vec2(0.0);
    if (surveyed > 1) {
      still = surveyedAt(ground);
      tilt = vec2(surveyedAt(ground + vec2(cell, 0.0)) - still, surveyedAt(ground + vec2(0.0, cell)) - still) / cell;
    }
    float z = still;
    for (int i = 0; i < ${MOST}; i++) {
      if (i >= waves) break;
      float phase = dot(wave[i].xy, ground) - wave[i].z * time + wave[i].w;
      // what is shorter than the mesh can show is left out
      float size = amplitude[i] * (1.0 - smoothstep(1.0, 2.0, length(wave[i].xy) * cell));
      z += size * cos(phase); tilt -= size * wave[i].xy * sin(phase);
    }
    z = mix(still, z, grown); tilt *= grown;
    light = clamp(0.5 + crisp * dot(tilt, sun), 0.0, 1.0); // faces turned to the sun are light, however low the waves
    gl_Position = projectionMatrix * viewMatrix * vec4(ground, z * stretch, 1.0);
  }`;
const FRAGMENT = `
  uniform vec3 colour, line; uniform float opacity, spacing, fine, crisp; varying vec2 ground, local; varying float light;
  float grid(float size) {
    vec2 place = ground / size; vec2 wide = fwidth(place);
    vec2 near = abs(fract(place - 0.5) - 0.5) / max(wide, vec2(1e-6));
    float lines = 1.0 - min(min(near.x, near.y), 1.0);
    return lines * clamp(1.0 - 2.0 * max(wide.x, wide.y), 0.0, 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.45, 1.0, length(local));
    float lines = max(fine * grid(spacing), 0.8 * grid(5.0 * spacing));
    float swell = crisp > 0.0 ? 1.0 : 0.0; // dark backs, light faces: a sheet that is seen, and seen through
    vec3 shown = mix(mix(colour * mix(0.86, 0.66, swell), mix(colour, vec3(1.0), mix(0.25, 0.75, swell)), light), line, lines);
    float thick = opacity * mix(1.0, 0.8 + 0.7 * abs(2.0 * light - 1.0), swell);
    gl_FragColor = vec4(shown, fade * mix(thick, min(1.0, opacity + 0.35), lines));
  }`;

function heightsOf(relief) {
  const texture = new THREE.DataTexture(new Float32Array(relief.heights), relief.count, relief.count, THREE.RedFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

export class Sheet {
  constructor({ level, slope = [0, 0], relief = null, waves = [], ramp = 0, order, fineLines, slow = false }) {
    const fine = waves.length || relief ? (slow ? 90 : 220) : slow ? 8 : 40;
    const rows = waves.slice(0, MOST);
    const padded = Array.from({ length: MOST }, (_, i) => rows[i] ?? [0, 0, 0, 0, 0]);
    this.moves = rows.length > 0;
    const steep = Math.sqrt(rows.reduce((sum, w) => sum + 0.5 * w[0] ** 2 * (w[1] ** 2 + w[2] ** 2), 0)); // root mean square slope
    const main = rows.reduce((best, w) => (Math.abs(w[0]) > Math.abs(best[0]) ? w : best), [0, 1, 0]);
    const heading = Math.atan2(main[2], main[1]) + 0.35;
    this.ramp = ramp;
    this.fine = fine;
    this.uniforms = {
      middle: { value: new THREE.Vector2() }, reach: { value: 1 }, stretch: { value: 1 }, level: { value: level }, time: { value: 0 }, grown: { value: 1 }, cell: { value: 1 },
      slope: { value: new THREE.Vector2(...slope) }, sun: { value: new THREE.Vector2(Math.cos(heading), Math.sin(heading)) }, crisp: { value: steep > 0 ? 0.4 / steep : relief ? 1.5 : 0 }, waves: { value: rows.length },
      surveyed: { value: relief?.count ?? 0 }, relief: { value: relief ? heightsOf(relief) : null }, extent: { value: new THREE.Vector4(...(relief?.low ?? [0, 0]), ...(relief?.high ?? [1, 1])) },
      wave: { value: padded.map((w) => new THREE.Vector4(w[1], w[2], w[3], w[4])) }, amplitude: { value: padded.map((w) => w[0]) },
      colour: { value: new THREE.Color() }, line: { value: new THREE.Color() }, opacity: { value: 0.3 }, fine: { value: fineLines }, spacing: { value: 10 },
    };
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, transparent: true, depthWrite: false, side: THREE.DoubleSide,
    });
    this.object = new THREE.Mesh(new THREE.PlaneGeometry(2, 2, fine, fine), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }

  place(middle, reach, spacing, stretch, time) {
    const u = this.uniforms;
    u.middle.value.set(middle.x, middle.y); u.reach.value = reach; u.cell.value = (2 * reach) / this.fine; u.spacing.value = spacing; u.stretch.value = stretch; u.time.value = time;
    const part = this.ramp > 0 ? Math.min(Math.max(time / this.ramp, 0), 1) : 1;
    u.grown.value = part * part * (3 - 2 * part); // the sea grows from still water
  }

  paint(colour, line, opacity) {
    this.uniforms.colour.value.set(colour); this.uniforms.line.value.set(line); this.uniforms.opacity.value = opacity;
  }
}
