// The socket: says who we are, hands on what comes, and comes back when it is lost.
const AGAIN = [250, 500, 1000, 2000]; // ms

export function tokens() {
  // from the address, once: it is kept for this tab and taken out of the address
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of ["token", "sandbox"]) if (given.has(name)) { sessionStorage.setItem(name, given.get(name)); given.delete(name); }
  if (location.hash.includes("token=") || location.hash.includes("sandbox=")) history.replaceState(null, "", given.size ? `#${given}` : location.pathname);
  return { token: sessionStorage.getItem("token"), sandbox: sessionStorage.getItem("sandbox") };
}

export class Connection {
  // on: {header, frame, text, lost(why)}
  constructor(shown, on) { this.shown = shown; this.on = on; this.tries = 0; this.open(); }

  open() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => this.send({ hello: this.shown }));
    socket.addEventListener("message", ({ data }) => {
      this.tries = 0;
      if (typeof data !== "string") { this.on.frame(data); return; }
      const { kind, content } = JSON.parse(data);
      if (kind === "header") this.on.header(content); else this.on.text(kind, content);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.socket) return;
      this.on.lost(code === 4403 ? "refused: open the address with its token" : "no connection");
      setTimeout(() => this.open(), AGAIN[Math.min(this.tries++, AGAIN.length - 1)]);
    });
  }

  send(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

  async fetch(path) {
    const headers = this.shown.token ? { Authorization: `Bearer ${this.shown.token}` } : {};
    const answer = await fetch(path, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
  }
}
