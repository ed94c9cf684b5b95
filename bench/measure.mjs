/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Lets contenders run one after the other, several rounds, so that whatever else the machine does hits all of them. The order is the other way
 * round in every second round, because what one leaves behind, such as garbage, is paid for by the next.
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

/** The median of the quotients of each round: what both had to suffer in a round cancels out. */
export function ratio(numerators, denominators) {
  return median(numerators.map((numerator, round) => numerator / denominators[round]));
}

/**
 * The quotient of the least of each: whatever else the machine does can only add to what something costs, and of many short runs that
 * take turns some are spared.
 */
export const leastRatio = (numerators, denominators) => Math.min(...numerators) / Math.min(...denominators);

/** Microseconds of processor time that a call of an async function takes, of so many one after the other. */
export async function processorMicroseconds(call, calls) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) {
    // Timers and what others wait for have their turn.
    if (i % 64 === 0) await new Promise(setImmediate);
    await call();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** Calls per second of an async function, called one after the other for a while. */
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
 * Calls per second of processor time of an async function, called one after the other for a while: what others do on the machine
 * counts less than with {@link callsPerSecond}.
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

/** Milliseconds that one call of an async function takes. */
export async function millisecondsOf(call) {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * One row of the table.
 * @param row.topic what was measured
 * @param row.measured the number
 * @param row.target the number it has to reach
 * @param row.better whether `more` or `less` is better
 * @param row.detail the absolute numbers, which are this machine's only
 */
export function row({ topic, measured, target, better, unit = '×', detail = '' }) {
  const reached = better === 'more' ? measured >= target : measured <= target;
  return { topic, measured, target, better, unit, detail, reached };
}

/** Prints a row as a line. */
export function printRow({ topic, measured, target, better, unit, detail, reached }) {
  const bound = better === 'more' ? 'at least' : 'at most';
  const goal = target === undefined ? '' : `${bound} ${target} ${unit}`;
  const mark = target === undefined ? ' ' : reached ? '✓' : '✗';
  console.log(
    `${mark} ${topic.padEnd(52)} ${measured.toFixed(2).padStart(9)} ${unit.padEnd(8)} ${goal.padEnd(22)} ${detail}`,
  );
}

/** Microseconds of one call, as text, of rates in calls a second. */
export const microseconds = (rates) => (1e6 / median(rates)).toFixed(1);
