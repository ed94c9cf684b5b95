// One subject of bench/growth.mjs in a process of its own: node --expose-gc measure.mjs <group> <subject>. Prints its costs as JSON.
import { interleaved } from '../measure.mjs';

/** Microseconds of processor time after which a turn ends; a turn has one call at least. */
const TURN = 60_000;

/** As much before the rounds, until the engine has compiled what runs often. */
const WARM_UP = 500_000;

const [group, name, rounds = '7'] = process.argv.slice(2);
const { subjects } = await import(`./${group}.mjs`);
const { make, ...subject } = subjects[name];
const sizes = process.env.SIZES?.split(',').map(Number) ?? subject.sizes;
const contenders = {};
for (const size of sizes) {
  const contender = await make(size);
  contenders[size] = (turn) => costPerThing(contender, turn);
}
for (const size of sizes) await contenders[size](WARM_UP);
globalThis.gc();
const costs = await interleaved(contenders, { rounds: Number(rounds) });
console.log(JSON.stringify(costs));
process.exit();

/** @returns microseconds of processor time for each thing that calls touched, less what the call costs without the things */
async function costPerThing({ call, things = 1, before, without }, turn = TURN) {
  const all = await costPerCall(call, before, turn);
  return (without ? all - (await costPerCall(without, undefined, turn)) : all) / things;
}

async function costPerCall(call, before, turn) {
  let spent = 0;
  let calls = 0;
  const begin = performance.now();
  while (spent < turn && performance.now() - begin < 3000) {
    await before?.();
    const since = process.cpuUsage();
    // Several calls, so that the look at the clock does not count for much.
    const together = before || calls < 16 ? 1 : 16;
    for (let i = 0; i < together; i++) await call();
    if (calls % 64 === 0) await new Promise(setImmediate);
    const { user, system } = process.cpuUsage(since);
    spent += user + system;
    calls += together;
  }
  return spent / calls;
}
