// What if: a question to a copy of the twin, and its answer, which is never shown without saying that it is not live.
import { shown } from "fairlead/numbers.js";

const get = (id) => document.getElementById(id);

export class Sandbox {
  constructor(header, connection, onAnswer) {
    const form = get("sandbox").querySelector("form");
    get("sandbox").hidden = !header.sandbox;
    form.winch.replaceChildren(...["", ...(header.winches ?? [])].map((name) => { const option = document.createElement("option"); option.value = name; option.textContent = name || "none"; return option; }));
    form.onsubmit = (event) => {
      event.preventDefault();
      const number = (name) => Number(form[name].value) || 0;
      get("answer").textContent = "asking …";
      connection().send({ ask: { turn: number("turn"), rate: number("rate"), winch: form.winch.value, payout: number("payout"), horizon: number("horizon") } });
    };
    get("sandboxClear").onclick = () => { get("answer").textContent = ""; onAnswer(null); };
    this.onAnswer = onAnswer;
  }

  take(answer) {
    get("answer").textContent = ["NOT LIVE", ...answer.limits.map(({ name, probability }) => `${name}: ${shown(100 * probability, 2)} % likely`)].join("\n");
    this.onAnswer(answer);
  }

  refuse(why) { get("answer").textContent = why; }
}
