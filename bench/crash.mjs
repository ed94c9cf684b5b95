// Kills a server on a folder under load, again and again, and looks at what the next one has: node bench/crash.mjs [--rounds=1000].
// With --storage=etcd the server is on an etcd from the PATH, which is killed as well in every second round.
// Nothing that was acknowledged may be lost, no object be torn, no version go back, and a watcher that resumes sees each event once.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
/** A round that takes longer hangs, which is a failure. */
const LONGEST_ROUND = 60_000;

/** What was acknowledged, by name: the step, the version, whether it was a deletion. */
const acknowledged = new Map();
/** What the watcher has seen: the last step of each name, and whether the object was deleted then. */
const seen = new Map();
let version = '';
const found = { lost: 0, torn: 0, backwards: 0, missed: 0, twice: 0, failed: 0 };
const counts = { writes: 0, events: 0, resumed: 0 };
/** The greatest version that anybody was shown. */
let newest = 0;

/** One life of the server, from what the one before left to its kill. */
async function live(round) {
  const known = JSON.stringify({
    version,
    steps: Object.fromEntries([...seen].map(([name, { step, deleted }]) => [name, step + (deleted ? 1 : 0)])),
  });
  const durability = round % 2 === 0 ? 'machine' : 'process';
  const place = etcd ? [etcd.endpoint, 'etcd'] : [join(folder, 'data'), durability];
  const server = spawn(process.execPath, [child, ...place, known], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => server.kill('SIGKILL');
  const limit = setTimeout(() => {
    problem('failed', `round ${round} took too long`);
    kill();
  }, LONGEST_ROUND);
  const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve({ code, signal })));
  const listed = new Map();
  if (version !== '') counts.resumed++;
  for await (const line of createInterface({ input: server.stdout })) {
    const [what, ...words] = line.split(' ');
    heard[what]?.(words, listed);
    // From a few writes to some hundreds, and now and then while it starts.
    if (what === 'ready') setTimeout(kill, 1 + random.below(400));
    if (what === 'listed' && random.below(20) === 0) kill();
  }
  clearTimeout(limit);
  const { code, signal } = await ended;
  if (signal !== 'SIGKILL') problem('failed', `round ${round} ended with ${code ?? signal}`);
  if (round % 2 === 1) await etcd?.restart();
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
 * Behind the last step that was acknowledged, or seen in an earlier life, the next one may have been made without an answer; if that is a
 * deletion, nothing is there.
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
