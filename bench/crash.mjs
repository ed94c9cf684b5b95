// Kills a server that stores in a folder under load, repeatedly, and checks the state that the next server has:
//   node bench/crash.mjs [--rounds=1000]. With --storage=etcd, the server uses an etcd from the PATH, which is also killed in every second round.
// No acknowledged write may be lost, no object torn, versions must not go back, and a watch that resumes receives each event once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chance } from './support/chance.mjs';
import { startEtcd } from './support/etcd.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    storage: { type: 'string', default: 'level' },
  },
});
const rounds = Number(values.rounds);
const random = chance(Number(values.seed));
const child = fileURLToPath(new URL('servers/crashed.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'crash-'));
const etcd = values.storage === 'etcd' ? await startEtcd(join(folder, 'etcd')) : undefined;
/** The milliseconds after which a round without news counts as hanging, which is a failure unless the disk itself does not respond. */
const LONGEST_ROUND = 60_000;
/** The milliseconds in which a disk that works writes a small file. A kill cannot end a process that waits for a slower one. */
const SLOW_DISK = 2000;

/** The acknowledged writes by name: the step, the version, and whether it was a deletion. */
const acknowledged = new Map();
/** The observations of the watch: the last step of each name, and whether the object was deleted then. */
const seen = new Map();
let version = '';
const found = { lost: 0, torn: 0, backwards: 0, missed: 0, twice: 0, failed: 0 };
const counts = { writes: 0, events: 0, resumed: 0 };
/** The greatest version that any response or event contained. */
let newest = 0;

/** Runs one server, from the state that the previous one left until its kill. */
async function live(round) {
  const known = JSON.stringify({
    version,
    steps: Object.fromEntries([...seen].map(([name, { step, deleted }]) => [name, step + (deleted ? 1 : 0)])),
  });
  const durability = round % 2 === 0 ? 'machine' : 'process';
  const place = etcd ? [etcd.endpoint, 'etcd'] : [join(folder, 'data'), durability];
  const server = spawn(process.execPath, [child, ...place, known], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => server.kill('SIGKILL');
  let last = 'its start';
  const limit = setInterval(async () => {
    const [states, flushed] = [threadStates(server.pid), await timeOfFlush()];
    const report = `round ${round} has no news since ${last}; threads: ${states}; a flush of the disk took ${flushed} ms`;
    if (flushed > SLOW_DISK) return console.log(`waiting: ${report}`);
    problem('failed', report);
    kill();
  }, LONGEST_ROUND);
  const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve({ code, signal })));
  const listed = new Map();
  if (version !== '') counts.resumed++;
  for await (const line of createInterface({ input: server.stdout })) {
    const [what, ...words] = line.split(' ');
    last = what;
    limit.refresh();
    heard[what]?.(words, listed);
    // The kill comes after a few to some hundred writes, and sometimes during the start.
    if (what === 'ready') setTimeout(kill, 1 + random.below(400));
    if (what === 'listed' && random.below(20) === 0) kill();
  }
  clearInterval(limit);
  const { code, signal } = await ended;
  if (signal !== 'SIGKILL') problem('failed', `round ${round} ended with ${code ?? signal}`);
  if (round % 2 === 1) await etcd?.restart();
}

/** Returns the state of each thread of a process and the function of the kernel in which it waits, or a note where they cannot be read. */
function threadStates(pid) {
  const read = (path) => readFileSync(`/proc/${pid}/task/${path}`, 'utf8').trim();
  try {
    const stateOf = (thread) => `${/State:\s+(\S)/.exec(read(`${thread}/status`))?.[1]} ${read(`${thread}/wchan`)}`;
    return readdirSync(`/proc/${pid}/task`).map(stateOf).join(', ');
  } catch (error) {
    return error.message;
  }
}

/** Resolves with the milliseconds in which a small file is written and flushed in the folder of the database. */
async function timeOfFlush() {
  const start = performance.now();
  await writeFile(join(folder, 'flushed'), 'x', { flush: true });
  return Math.round(performance.now() - start);
}

const heard = {
  object([name, resourceVersion, step, whole], listed) {
    if (whole !== 'whole') problem('torn', `${name} at ${resourceVersion}`);
    listed.set(name, { step: Number(step), resourceVersion: Number(resourceVersion) });
  },
  listed([resourceVersion], listed) {
    if (Number(resourceVersion) < newest) problem('backwards', `the list has ${resourceVersion}, ${newest} was seen`);
    for (const [name, { step, version: acked, deleted }] of acknowledged) {
      const now = listed.get(name);
      if (
        deleted
          ? now !== undefined && now.step <= step
          : now === undefined
            ? !mayBeDeleted(Math.max(step, seen.get(name)?.step ?? 0))
            : now.step < step
      )
        problem('lost', `${name}: step ${step} was acknowledged, ${now?.step ?? 'nothing'} is there`);
      if (now !== undefined && now.resourceVersion < acked) problem('backwards', `${name} had version ${acked}`);
    }
  },
  wrote([name, step, resourceVersion]) {
    counts.writes++;
    newest = Math.max(newest, Number(resourceVersion));
    acknowledged.set(name, { step: Number(step), version: Number(resourceVersion), deleted: false });
  },
  deleted([name, step]) {
    counts.writes++;
    acknowledged.set(name, { step: Number(step), version: 0, deleted: true });
  },
  event([type, name, resourceVersion, step, whole]) {
    counts.events++;
    if (whole !== 'whole') problem('torn', `the event of ${name} at ${resourceVersion}`);
    if (version !== '' && Number(resourceVersion) <= Number(version)) problem('twice', `${name} at ${resourceVersion}`);
    version = resourceVersion;
    newest = Math.max(newest, Number(resourceVersion));
    const before = seen.get(name) ?? { step: 0, deleted: false };
    const expected = type === 'DELETED' ? before.step : before.step + (before.deleted ? 2 : 1);
    if (Number(step) !== expected)
      problem(Number(step) > expected ? 'missed' : 'twice', `${type} ${name}: step ${step} instead of ${expected}`);
    seen.set(name, { step: Number(step), deleted: type === 'DELETED' });
  },
  mark([, resourceVersion]) {
    if (version !== '' && Number(resourceVersion) <= Number(version)) problem('twice', `mark at ${resourceVersion}`);
    version = resourceVersion;
    newest = Math.max(newest, Number(resourceVersion));
  },
  failed(words) {
    problem('failed', words.join(' '));
  },
};

/**
 * Checks the step after the last one that was acknowledged or observed earlier: it may have been executed without a response, and if it is
 * a deletion, the object is absent.
 */
function mayBeDeleted(step) {
  return (step + 1) % 7 === 0;
}

function problem(kind, text) {
  found[kind]++;
  console.log(`${kind}: ${text}`);
}

for (let round = 1; round <= rounds; round++) {
  await live(round);
  if (round % 50 === 0 || round === rounds) console.log(`${round} rounds: ${JSON.stringify({ ...counts, ...found })}`);
}
await etcd?.kill();
rmSync(folder, { recursive: true, force: true });
const violations = Object.values(found).reduce((sum, number) => sum + number, 0);
console.log(
  `crash: ${rounds} kills, ${counts.writes} writes acknowledged, ${counts.events} events: ${found.lost} lost, ${found.torn} torn, ` +
    `${found.backwards} versions went back, ${found.missed} events missed, ${found.twice} seen twice, ${found.failed} failures`,
);
process.exit(violations === 0 ? 0 : 1);
