// Cables as tubes: as many pixels wide as asked, wherever the camera is, coloured by a value along them.
import * as THREE from "three";

const SIDES = 8;
const VERTEX = `
  attribute vec3 side; attribute float value; attribute float thick;
  uniform float pixel, width; varying float shade, level;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vec3 outward = normalize(normalMatrix * side + vec3(1e-9));
    place.xyz += outward * (thick * width * pixel * max(-place.z, 1e-6));
    shade = 0.86 + 0.16 * dot(outward, normalize(vec3(-0.35, 0.75, 0.6)));
    level = value;
    gl_Position = projectionMatrix * place;
  }`;
const FRAGMENT = `
  uniform sampler2D palette; uniform float low, high, flatShare, opacity; uniform vec3 flatColour;
  varying float shade, level;
  void main() {
    vec3 colour = texture2D(palette, vec2(clamp((level - low) / (high - low), 0.002, 0.998), 0.5)).rgb;
    colour = mix(colour, flatColour, flatShare) * shade;
    gl_FragColor = vec4(colour, opacity);
  }`;

export class Cables {
  constructor(run, shared) {
    this.run = run;
    this.selected = -1;
    this.broad = 1;
    const vertices = run.nodes * SIDES;
    this.geometry = new THREE.BufferGeometry();
    const array = (name, width) => {
      const attribute = new THREE.BufferAttribute(new Float32Array(vertices * width), width);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.centre = array("position", 3); this.side = array("side", 3); this.value = array("value", 1); this.thick = array("thick", 1);
    const faces = [];
    for (const cable of run.cables) for (let k = 0; k + 1 < cable.nodes; k++) {
      const a = (cable.first + k) * SIDES, b = a + SIDES;
      for (let s = 0; s < SIDES; s++) {
        const t = (s + 1) % SIDES;
        faces.push(a + s, b + s, a + t, a + t, b + s, b + t);
      }
    }
    this.geometry.setIndex(faces);
    this.geometry.boundingSphere = new THREE.Sphere(); // drawn always: never measured
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.DoubleSide, transparent: true,
      uniforms: { ...shared, flatShare: { value: 0 }, flatColour: { value: new THREE.Color(run.colour) }, opacity: { value: 1 } },
    });
    this.object = new THREE.Mesh(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 8; // after the water, which would tint the colours (hence `transparent`: the order holds among those)
  }

  lookLike(byRun, first) {
    // one colour a result: the first broad and pale behind the others, so that lines over one another all show
    const uniforms = this.material.uniforms;
    uniforms.flatShare.value = byRun ? 1 : 0;
    uniforms.opacity.value = byRun && first ? 0.5 : 1;
    this.broad = byRun ? (first ? 1.9 : 0.75) : 1;
    this.material.depthWrite = !(byRun && first);
    this.object.renderOrder = byRun && first ? 7.9 : 8;
  }

  update(stretch) {
    const { now, alive, value, cables } = this.run;
    const centre = this.centre.array, sides = this.side.array, values = this.value.array, thick = this.thick.array;
    const tangent = new THREE.Vector3(), normal = new THREE.Vector3(), other = new THREE.Vector3(), here = new THREE.Vector3();
    cables.forEach((cable, c) => {
      const living = [];
      for (let k = 0; k < cable.nodes; k++) if (alive[cable.first + k]) living.push(cable.first + k);
      const at = (i, into) => into.set(now[3 * i], now[3 * i + 1], now[3 * i + 2] * stretch);
      normal.set(0, 0, 0);
      for (let k = 0; k < cable.nodes; k++) {
        const node = cable.first + k;
        // a node that is still on the drum is drawn, without thickness, at the nearest one that is not
        const place = alive[node] ? node : living.length ? nearest(living, node) : -1;
        if (place < 0) { here.set(0, 0, 0); tangent.set(1, 0, 0); } else {
          const before = place > cable.first && alive[place - 1] ? place - 1 : place;
          const after = place + 1 < cable.first + cable.nodes && alive[place + 1] ? place + 1 : place;
          at(after, tangent).sub(at(before, other));
          if (tangent.lengthSq() < 1e-18) tangent.set(1, 0, 0);
          tangent.normalize();
          at(place, here);
        }
        normal.addScaledVector(tangent, -normal.dot(tangent));
        if (normal.lengthSq() < 1e-6) {
          normal.set(Math.abs(tangent.z) < 0.9 ? 0 : 1, 0, Math.abs(tangent.z) < 0.9 ? 1 : 0);
          normal.addScaledVector(tangent, -normal.dot(tangent));
        }
        normal.normalize();
        other.crossVectors(tangent, normal);
        const width = !alive[node] ? 0 : (c === this.selected ? 1.7 : 1) * this.broad;
        for (let s = 0; s < SIDES; s++) {
          const angle = (2 * Math.PI * s) / SIDES, cos = Math.cos(angle), sin = Math.sin(angle), i = node * SIDES + s;
          centre[3 * i] = here.x; centre[3 * i + 1] = here.y; centre[3 * i + 2] = here.z;
          sides[3 * i] = cos * normal.x + sin * other.x; sides[3 * i + 1] = cos * normal.y + sin * other.y; sides[3 * i + 2] = cos * normal.z + sin * other.z;
          values[i] = value[node]; thick[i] = width;
        }
      }
    });
    for (const attribute of [this.centre, this.side, this.value, this.thick]) attribute.needsUpdate = true;
  }
}

function nearest(living, node) {
  if (node <= living[0]) return living[0];
  if (node >= living[living.length - 1]) return living[living.length - 1];
  let best = living[0];
  for (const i of living) if (Math.abs(i - node) < Math.abs(best - node)) best = i;
  return best;
}
