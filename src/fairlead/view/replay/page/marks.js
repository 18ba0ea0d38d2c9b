// What stands at the cables: points, bodies, floats and weights, winches, nodes on the seabed, and names.
import * as THREE from "three";
import { shown } from "fairlead/numbers.js";

const KIND_COLOURS = {
  fixed: "#8a5a2b", controlled: "#d55e00", hybrid: "#d55e00", body: "#cc79a7", sliding: "#009e73", passive: "#e69f00", free: "#5b7c99",
};
export const KIND_WORDS = {
  fixed: "fixed point", controlled: "controlled point", hybrid: "driven point that gives way", body: "body", sliding: "ring that slides",
  passive: "small body", free: "free point", point: "point",
};
const VERTEX = `
  attribute vec3 tint; attribute float size; uniform float ratio; varying vec3 colour; varying float seen;
  void main() {
    colour = tint; seen = size;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = size * ratio;
  }`;
const FRAGMENT = `
  uniform vec3 rim; uniform float rimShare; varying vec3 colour; varying float seen;
  void main() {
    float distance = 2.0 * length(gl_PointCoord - 0.5);
    if (distance > 1.0 || seen <= 0.0) discard;
    gl_FragColor = vec4(distance > 1.0 - rimShare ? rim : colour, 1.0);
  }`;

class Dots {
  constructor(count, order, rimShare, behind = false) {
    this.geometry = new THREE.BufferGeometry();
    const array = (name, width) => {
      const attribute = new THREE.BufferAttribute(new Float32Array(count * width), width);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.geometry.boundingSphere = new THREE.Sphere(); // drawn always, in the order given: never measured
    this.place = array("position", 3); this.tint = array("tint", 3); this.size = array("size", 1);
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, depthTest: behind,
      uniforms: { ratio: { value: 1 }, rim: { value: new THREE.Color("#ffffff") }, rimShare: { value: rimShare } },
    });
    this.object = new THREE.Points(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }

  set(i, x, y, z, size) { this.place.setXYZ(i, x, y, z); this.size.setX(i, size); }
  colour(i, colour) { const c = new THREE.Color(colour); this.tint.setXYZ(i, c.r, c.g, c.b); }
  done() { for (const a of [this.place, this.tint, this.size]) a.needsUpdate = true; }
}

export class Marks {
  constructor(run) {
    this.run = run;
    this.object = new THREE.Group();
    this.points = new Dots(run.points.length, 11, 0.26);
    run.points.forEach((point, i) => this.points.colour(i, KIND_COLOURS[point.kind] ?? "#5b7c99"));
    this.ground = new Dots(run.nodes, 7.5, 0, true);
    for (let i = 0; i < run.nodes; i++) this.ground.colour(i, "#e8a200");
    this.clamped = run.cables.flatMap((cable) => cable.clamped.map((item) => ({ ...item, cable })));
    this.hung = new Dots(this.clamped.length, 10, 0.3);
    this.clamped.forEach((item, i) => this.hung.colour(i, item.floats ? "#f0c000" : "#3a3a3a"));
    this.bodies = run.bodies.map((body) => {
      const box = new THREE.Group(), shape = shapeOf(body), colour = KIND_COLOURS[run.points[body.point].kind] ?? KIND_COLOURS.body;
      if (shape) {
        const solid = new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity: 0.9, side: THREE.DoubleSide }));
        const edges = new THREE.LineSegments(new THREE.EdgesGeometry(shape, 25), new THREE.LineBasicMaterial({ color: "#3d2433", transparent: true, opacity: 0.7 }));
        solid.renderOrder = 9; edges.renderOrder = 9.1;
        box.add(solid, edges);
      }
      const spokes = body.solid.spokes.flatMap((place) => [0, 0, 0, ...place]);
      if (spokes.length) {
        const lines = new THREE.BufferGeometry();
        lines.setAttribute("position", new THREE.Float32BufferAttribute(spokes, 3));
        const drawn = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: colour, transparent: true }));
        drawn.renderOrder = 9.2;
        box.add(drawn);
      }
      box.rotation.order = "ZYX";
      const radius = shape ? (shape.computeBoundingSphere(), shape.boundingSphere.radius) : 0;
      return { ...body, box, radius };
    });
    this.object.add(this.points.object, this.ground.object, this.hung.object, ...this.bodies.map((body) => body.box));
  }

  update(time, stretch, ratio, pixelAt) {
    // pixelAt: length of a pixel at a place, m; a dot that stands for a body gives way where its solid is seen
    const { run } = this;
    const seen = new Map(this.bodies.map(({ point, radius }) => [point, radius / pixelAt(run.pointNow[3 * point], run.pointNow[3 * point + 1], run.pointNow[3 * point + 2] * stretch)]));
    for (const dots of [this.points, this.ground, this.hung]) dots.material.uniforms.ratio.value = ratio;
    run.points.forEach((_, i) => this.points.set(i, run.pointNow[3 * i], run.pointNow[3 * i + 1], run.pointNow[3 * i + 2] * stretch, run.pointAlive[i] && !(seen.get(i) > 9) ? (seen.get(i) > 5 ? 7 : 11) : 0));
    for (let i = 0; i < run.nodes; i++) this.ground.set(i, run.now[3 * i], run.now[3 * i + 1], run.now[3 * i + 2] * stretch, run.touching[i] ? 13 : 0);
    this.clamped.forEach((item, i) => {
      const place = placeAlong(run, item.cable, item.at);
      if (place) this.hung.set(i, place[0], place[1], place[2] * stretch, 10); else this.hung.set(i, 0, 0, 0, 0);
    });
    for (const { point, angles, box } of this.bodies) {
      box.visible = run.pointAlive[point] > 0;
      box.position.set(run.pointNow[3 * point], run.pointNow[3 * point + 1], run.pointNow[3 * point + 2] * stretch);
      if (angles) box.rotation.set(...angles.map((name) => (Math.PI / 180) * run.otherAt(name, time)));
    }
    for (const dots of [this.points, this.ground, this.hung]) dots.done();
  }

  names(time) {
    // texts to show, with their places: points, then winches with the line they have out
    const { run } = this;
    const found = [];
    run.points.forEach((point, i) => {
      if (run.pointAlive[i]) found.push({ text: point.name, note: KIND_WORDS[point.kind] ?? point.kind, x: run.pointNow[3 * i], y: run.pointNow[3 * i + 1], z: run.pointNow[3 * i + 2] });
    });
    for (const cable of run.cables) {
      if (!cable.winch) continue;
      const node = edgeNode(run, cable, cable.winch);
      const length = cable.winch_length ? run.otherAt(cable.winch_length, time) : NaN;
      const text = isNaN(length) ? `winch of ${cable.name}` : `winch of ${cable.name}: ${shown(length)} m out`;
      if (node >= 0) found.push({ text, note: "winch", x: run.now[3 * node], y: run.now[3 * node + 1], z: run.now[3 * node + 2], winch: true });
    }
    return found;
  }
}

function shapeOf(body) {
  // the hull of a body, or the solid of its file; null where that has no size
  if (!body.hull) {
    const { kind, size, offset } = body.solid;
    if (kind === "none") return null;
    const solid = kind === "sphere" ? new THREE.SphereGeometry(0.5, 24, 16) : kind === "cylinder" ? new THREE.CylinderGeometry(0.5, 0.5, 1, 32).rotateX(Math.PI / 2) : new THREE.BoxGeometry(1, 1, 1);
    return solid.scale(...size).translate(...offset);
  }
  const shape = new THREE.BufferGeometry();
  shape.setAttribute("position", new THREE.Float32BufferAttribute(body.hull.corners, 3));
  const { panels } = body.hull;
  const triangles = [];
  for (let i = 0; i < panels.length; i += 4) triangles.push(panels[i], panels[i + 1], panels[i + 2], panels[i], panels[i + 2], panels[i + 3]);
  shape.setIndex(triangles);
  const flat = shape.toNonIndexed();  // every panel with its own shade
  flat.computeVertexNormals();
  return flat;
}

function edgeNode(run, cable, end) {
  const order = Array.from({ length: cable.nodes }, (_, k) => cable.first + (end === "start" ? k : cable.nodes - 1 - k));
  return order.find((i) => run.alive[i]) ?? -1;
}

function placeAlong(run, cable, arc) {
  let k = 0;
  while (k + 2 < cable.nodes && cable.arc[k + 1] < arc) k++;
  const a = cable.first + k, b = a + Math.min(1, cable.nodes - 1);
  if (!run.alive[a] || !run.alive[b]) return null;
  const share = Math.min(1, Math.max(0, (arc - cable.arc[k]) / Math.max(cable.arc[k + 1] - cable.arc[k], 1e-9)));
  return [0, 1, 2].map((i) => run.now[3 * a + i] + share * (run.now[3 * b + i] - run.now[3 * a + i]));
}

export class Labels {
  // names over the picture, as text, beside their places where there is room; one that would cover another is left out
  constructor(element) { this.element = element; this.pool = []; }

  show(names, project, covered) {
    // covered: boxes [left, top, right, bottom] of what lies over the picture
    const taken = [...covered];
    const meets = (box) => taken.some((t) => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]);
    let used = 0;
    for (const name of names) {
      const [x, y, inFront] = project(name);
      const lower = name.winch ? 14 : 0;
      if (!inFront || x < 4 || y < 8 || x > this.element.clientWidth - 4 || y > this.element.clientHeight - 4) continue;
      const text = name.text.length > 28 ? name.text.slice(0, 27) + "…" : name.text;
      const wide = 7.2 * text.length + 12, top = y - 18 + lower * 1.4;
      const sides = x + 8 + wide > this.element.clientWidth ? [x - 8 - wide] : [x + 8, x - 8 - wide];
      const box = sides.map((left) => [left, top, left + wide, top + 18]).find((tried) => tried[0] >= 0 && !meets(tried));
      if (!box) continue;
      taken.push(box);
      const tag = (this.pool[used] ??= this.element.appendChild(document.createElement("span")));
      used++;
      if (tag.textContent !== text) { tag.textContent = text; tag.title = `${name.text} (${name.note})`; }
      tag.style.transform = `translate(${box[0].toFixed(1)}px, ${box[1].toFixed(1)}px)`;
      tag.hidden = false;
    }
    for (let i = used; i < this.pool.length; i++) this.pool[i].hidden = true;
  }
}
