// How long a page takes for a message when one comes every 20 ms: caches and code are not as hot as in a loop.
import { quantile } from "./harness.js";

// Four seconds: in the first one or two of a page's life the engine has not compiled either way.
const MESSAGES = 200;

/** Median nanoseconds of JSON.parse on a string and of ours for one message, in turn, `interval` ms apart. */
export async function pace({ contestants }, interval = 20) {
  const [json, aldis] = contestants;
  const times = [[], []];
  for (let i = 0; i < MESSAGES; i++) {
    await new Promise((done) => setTimeout(done, interval / 2));
    const which = i & 1;
    const { task, inputs } = [json, aldis][which];
    const start = performance.now();
    task(inputs[(i >> 1) % inputs.length]);
    times[which].push((performance.now() - start) * 1e6);
  }
  const [jsonMedian, aldisMedian] = times.map((list) => quantile(list.sort((a, b) => a - b), 0.5));
  return { json: jsonMedian, aldis: aldisMedian, ratio: aldisMedian / jsonMedian };
}
