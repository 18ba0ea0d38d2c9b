// The camera: where it looks from, how it follows, and where things land on the page.
import * as THREE from "three";
import { OrbitControls } from "three/orbit";

const HEADING = 84, BAR = 120; // pixels

export class View {
  constructor(canvas, onChange) {
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 1e5);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("start", () => { this.preset = "own"; onChange(); });
    this.follow = false;
    this.preset = "space";
  }

  fit(wide, tall) {
    // the heading covers the uppermost part of the picture and the colour bar its right: its middle lies aside
    const bar = wide > 760 ? BAR : 0;
    this.camera.aspect = wide / Math.max(tall, 1);
    this.free = Math.max(0.5, 1 - HEADING / Math.max(tall, 1));
    this.clear = Math.max(0.5, 1 - bar / Math.max(wide, 1));
    this.camera.setViewOffset(wide, tall, bar / 2, -HEADING / 2, wide, tall);
  }

  // box: {low, high} around all that moves, already stretched
  look(preset, box) {
    this.preset = preset;
    const middle = box.low.clone().add(box.high).multiplyScalar(0.5), size = box.high.clone().sub(box.low);
    const alongX = size.x >= size.y;
    const flat = Math.max(size.x, size.y, size.z, 1e-3), half = THREE.MathUtils.degToRad(this.camera.fov / 2);
    let direction;
    if (preset === "top") {
      direction = new THREE.Vector3(alongX ? 0 : -1e-3, alongX ? -1e-3 : 0, 1);
    } else if (preset === "side") {
      direction = alongX ? new THREE.Vector3(0, -1, 0.04) : new THREE.Vector3(-1, 0, 0.04);
    } else {
      direction = alongX ? new THREE.Vector3(-0.45, -0.9, 0.42) : new THREE.Vector3(-0.9, 0.45, 0.42);
    }
    direction.normalize();
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y, k & 4 ? box.high.z : box.low.z));
    const distance = this.fitted(box.cloud?.length ? box.cloud : corners, direction, middle, Math.tan(half), 0.05 * flat);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, Math.max(distance, 0.5));
    this.reach(box, size.length());
    this.controls.update();
  }

  // how far off the camera must be for all places to be in the free part of the picture; moves `middle` to their middle there
  fitted(places, direction, middle, slope, margin) {
    const across = new THREE.Vector3(0, 0, 1).cross(direction).normalize(), up = direction.clone().cross(across), from = new THREE.Vector3();
    const wide = slope * this.camera.aspect * this.clear, tall = slope * this.free;
    let distance = 0;
    for (let pass = 0; pass < 3; pass++) {
      distance = 0;
      for (const place of places) {
        from.copy(place).sub(middle);
        const near = from.dot(direction);
        distance = Math.max(distance, near + (Math.abs(from.dot(across)) + margin) / wide, near + (Math.abs(from.dot(up)) + margin) / tall);
      }
      let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const place of places) {
        from.copy(place).sub(middle);
        const far = Math.max(distance - from.dot(direction), 1e-6), x = from.dot(across) / far, y = from.dot(up) / far;
        left = Math.min(left, x); right = Math.max(right, x); low = Math.min(low, y); high = Math.max(high, y);
      }
      if (pass < 2) middle.addScaledVector(across, 0.5 * (left + right) * distance).addScaledVector(up, 0.5 * (low + high) * distance);
    }
    return distance;
  }

  reach(box, size) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance / 500, 1e-3);
    this.camera.far = 30 * (distance + size);
    this.camera.updateProjectionMatrix();
  }

  shift(by) {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  turn(across, up) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length(), polar = Math.acos(offset.z / radius), azimuth = Math.atan2(offset.y, offset.x);
    const tilted = Math.min(Math.max(polar + up, 0.02), Math.PI - 0.02), turned = azimuth + across;
    offset.set(Math.sin(tilted) * Math.cos(turned), Math.sin(tilted) * Math.sin(turned), Math.cos(tilted)).multiplyScalar(radius);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor) {
    this.camera.position.lerp(this.controls.target, 1 - factor);
    this.controls.update();
  }

  onPage(x, y, z, wide, tall) {
    const place = new THREE.Vector3(x, y, z).project(this.camera);
    return [((place.x + 1) / 2) * wide, ((1 - place.y) / 2) * tall, place.z < 1];
  }
}

export function nearestCable(runs, view, stretch, x, y, wide, tall) {
  // the cable whose line on the page comes nearest to (x, y), within reach of a finger
  let best = null;
  for (const run of runs) run.cables.forEach((cable) => {
    let last = null;
    for (let k = 0; k < cable.nodes; k++) {
      const i = cable.first + k;
      if (!run.alive[i]) { last = null; continue; }
      const here = view.onPage(run.now[3 * i], run.now[3 * i + 1], run.now[3 * i + 2] * stretch, wide, tall);
      if (last && here[2] && last[2]) {
        const dx = here[0] - last[0], dy = here[1] - last[1], square = dx * dx + dy * dy;
        const share = square ? Math.min(1, Math.max(0, ((x - last[0]) * dx + (y - last[1]) * dy) / square)) : 0;
        const distance = Math.hypot(last[0] + share * dx - x, last[1] + share * dy - y);
        if (distance < 16 && (!best || distance < best.distance)) best = { distance, run, cable };
      }
      last = here;
    }
  });
  return best;
}
