/** Returns the median of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs contenders one after the other in several rounds, so that other work on the machine affects all of them. Every second round has the
 * reverse order, because garbage of one contender, for example, costs the next one time.
 * @param contenders by name: functions that resolve with a number (calls per second, milliseconds)
 * @returns by name: the numbers of all rounds. The first round warms up and does not count.
 */
export async function interleaved(contenders, { rounds = 5 } = {}) {
  const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const order = Object.entries(contenders);
    for (const [name, run] of round % 2 === 0 ? order : order.reverse()) {
      const number = await run();
      if (round > 0) results[name].push(number);
    }
  }
  return results;
}

/** Returns the median of the ratios of each round, in which disturbances of both cancel out. */
export function ratio(numerators, denominators) {
  return median(numerators.map((numerator, round) => numerator / denominators[round]));
}

/**
 * Returns the ratio of the minimums. Other work on the machine can only increase a cost, and leaves some of many short, alternating runs
 * undisturbed.
 */
export const leastRatio = (numerators, denominators) => Math.min(...numerators) / Math.min(...denominators);

/** Returns the microseconds of processor time of a call of an async function, measured over sequential calls. */
export async function processorMicroseconds(call, calls) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) {
    // Lets timers and other pending callbacks run.
    if (i % 64 === 0) await new Promise(setImmediate);
    await call();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** Returns the calls per second of an async function, called sequentially for a while. */
export async function callsPerSecond(call, milliseconds = 500) {
  const start = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let i = 0; i < 16; i++) await call();
    calls += 16;
    elapsed = performance.now() - start;
  }
  return (calls / elapsed) * 1000;
}

/**
 * Returns the calls per second of processor time of an async function, called sequentially for a while. Other work on the machine has less
 * influence than on {@link callsPerSecond}.
 */
export async function callsPerProcessorSecond(call, milliseconds = 500) {
  const start = performance.now();
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() - start < milliseconds) {
    for (let i = 0; i < 64; i++) await call();
    calls += 64;
  }
  const { user, system } = process.cpuUsage(before);
  return (calls / (user + system)) * 1e6;
}

/** Returns the milliseconds of one call of an async function. */
export async function millisecondsOf(call) {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * Returns one row of the table.
 * @param row.topic what was measured
 * @param row.measured the number
 * @param row.target the number to reach
 * @param row.better whether `more` or `less` is better
 * @param row.detail the absolute numbers, which depend on the machine
 * @param row.parts more lines, such as the parts of the measured time
 */
export function row({ topic, measured, target, better, unit = '×', detail = '', parts = [] }) {
  const reached = better === 'more' ? measured >= target : measured <= target;
  return { topic, measured, target, better, unit, detail, parts, reached };
}

/** Prints a row as a line, followed by its parts. */
export function printRow({ topic, measured, target, better, unit, detail, parts, reached }) {
  const bound = better === 'more' ? 'at least' : 'at most';
  const goal = target === undefined ? '' : `${bound} ${target} ${unit}`;
  const mark = target === undefined ? ' ' : reached ? '✓' : '✗';
  console.log(
    `${mark} ${topic.padEnd(52)} ${measured.toFixed(2).padStart(9)} ${unit.padEnd(8)} ${goal.padEnd(22)} ${detail}`,
  );
  for (const part of parts) console.log(`    ${part}`);
}

/** Formats rates in calls per second as microseconds per call. */
export const microseconds = (rates) => (1e6 / median(rates)).toFixed(1);
