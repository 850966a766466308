// Interleaved timing: in every round each contestant runs once, in turn, so that a busy machine slows all alike.

function run(task, inputs, times) {
  let last;
  for (let i = 0; i < times; i++) last = task(inputs[i % inputs.length]);
  return last;
}

/** How many calls fill one sample; this warms the task up as well. */
function calibrate(task, inputs, sampleMs) {
  let times = inputs.length;
  for (;;) {
    const start = performance.now();
    run(task, inputs, times);
    const spent = performance.now() - start;
    if (spent > sampleMs) return Math.max(1, Math.round((times * sampleMs) / spent));
    times *= 2;
  }
}

/** The value at this part of a sorted list. */
export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/**
 * Times contestants `{ name, task, inputs }` over `rounds` rounds, the first of them the baseline.
 * Returns for each: `best`, `median` and `spread` (quartiles) in nanoseconds a call, and `ratio`, the median over
 * the rounds of its time to the baseline's in the same round.
 */
export function race(contestants, rounds, sampleMs = 3) {
  for (const c of contestants) for (let i = 0; i < 3; i++) c.times = calibrate(c.task, c.inputs, sampleMs);
  const samples = contestants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    contestants.forEach((c, i) => {
      const start = performance.now();
      run(c.task, c.inputs, c.times);
      samples[i].push(((performance.now() - start) * 1e6) / c.times);
    });
  }
  return contestants.map((c, i) => summary(c.name, samples[i], samples[0]));
}

export function summary(name, times, baseline) {
  const sorted = [...times].sort((a, b) => a - b);
  const ratios = times.map((time, i) => time / baseline[i]).sort((a, b) => a - b);
  return {
    name, best: sorted[0], median: quantile(sorted, 0.5),
    spread: [quantile(sorted, 0.25), quantile(sorted, 0.75)], ratio: quantile(ratios, 0.5),
  };
}
