// The replay: results that stand in the page itself.
import { Run } from "fairlead/run.js";
import { RUN_COLOURS } from "fairlead/colours.js";
import { begin, ready } from "fairlead/main.js";

async function start() {
  const place = document.getElementById("results-data"), records = JSON.parse(place.textContent);
  performance.mark("read");
  const runs = await Promise.all(records.map((record, i) => Run.from(record, RUN_COLOURS[i % RUN_COLOURS.length])));
  performance.mark("unpacked");
  place.textContent = "";
  begin(runs);
}

ready(start());
