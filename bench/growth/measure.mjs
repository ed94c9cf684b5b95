// Measures one subject of bench/growth.mjs: node --expose-gc measure.mjs <group> <subject> [rounds]. Prints its costs as JSON.
import { interleaved } from '../measure.mjs';

/** The microseconds of processor time after which a turn ends; a turn has at least one call. */
const TURN = 20_000;
/** The microseconds of processor time before the rounds, in which the engine compiles the code that runs often. */
const WARM_UP = 150_000;
/** The milliseconds after which a turn ends in any case, because the preparation of a call is not measured but takes time. */
const MOST = 2_000;

const [group, name, rounds = '15'] = process.argv.slice(2);
const { subjects } = await import(`./${group}.mjs`);
const { sizes, make, plain } = subjects[name];
const contenders = {};
for (const size of sizes) {
  const contender = await make(size);
  contenders[size] = (turn) => costPerThing(contender, turn);
  if (!plain) continue;
  const loop = plain(size);
  contenders[`plain ${size}`] = (turn) => costPerThing({ call: loop, things: size }, turn);
}
for (const run of Object.values(contenders)) await run(WARM_UP);
globalThis.gc();
const found = await interleaved(contenders, { rounds: Number(rounds) });
const costs = Object.fromEntries(sizes.map((size) => [size, found[size]]));
const loops = Object.fromEntries(sizes.map((size) => [size, found[`plain ${size}`]]));
console.log(JSON.stringify({ costs, ...(plain ? { plain: loops } : {}) }));
process.exit();

/** @returns the microseconds of processor time per touched item, minus the cost of a call without items */
async function costPerThing({ call, things = 1, before, without }, turn = TURN) {
  const all = await costPerCall(call, before, turn);
  return (without ? all - (await costPerCall(without, undefined, turn)) : all) / things;
}

async function costPerCall(call, before, turn) {
  let spent = 0;
  let calls = 0;
  const begin = performance.now();
  while (spent < turn && performance.now() - begin < MOST) {
    await before?.();
    const since = process.cpuUsage();
    // Several calls between two readings of the clock, so that the readings cost little.
    const together = before || calls < 16 ? 1 : 16;
    for (let i = 0; i < together; i++) await call();
    if (calls % 64 === 0) await new Promise(setImmediate);
    const { user, system } = process.cpuUsage(since);
    spent += user + system;
    calls += together;
  }
  return spent / calls;
}
