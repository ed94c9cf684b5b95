// Runs the differential suite (optional data next to the checkout) against the built server, and compares the counts with the floor in
// tests/parity-floor.json:
//   node scripts/parity.mjs [--raise] [--storage=level|etcd]
// `--raise` writes the new floor. With `--storage=level`, every server stores in its own folder, with `--storage=etcd` in an etcd from the
// PATH; the responses must be the same.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startEtcd } from '../bench/support/etcd.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const suite = join(root, '../shared/conformance/against.mjs');
const floorFile = join(root, 'tests/parity-floor.json');
// Some recorded cases wait for real seconds, so an area that failed on a busy machine runs once more.
const ATTEMPTS = 2;

const { values } = parseArgs({ options: { raise: { type: 'boolean' }, storage: { type: 'string' } } });
const { raise = false, storage } = values;
if (storage !== undefined && !['level', 'etcd'].includes(storage)) throw new TypeError('--storage is level or etcd');
if (!existsSync(suite)) {
  console.log('parity: skipped, there is no conformance data beside the project');
  process.exit(0);
}

const project = storage === 'level' ? withFolders() : storage === 'etcd' ? await withEtcd() : root;
const floor = JSON.parse(readFileSync(floorFile, 'utf8'));
let fallen = 0;
const reached = {};
for (const [name, { config, args, areas }] of Object.entries(floor)) {
  let counts = {};
  for (let attempt = 1; attempt <= ATTEMPTS && (attempt === 1 || below(counts, areas).length > 0); attempt++)
    counts = best(counts, run(config, args));
  const low = below(counts, areas);
  fallen += low.length;
  for (const [area, { status, answers, steps }] of Object.entries(counts)) {
    const mark = low.includes(area) ? 'FELL ' : '';
    console.log(
      `${mark}${name} ${area}: status ${status}/${steps}, answers ${answers}/${steps} (floor ${words(areas[area])})`,
    );
  }
  for (const area of low)
    if (!counts[area]) console.log(`FELL ${name} ${area}: did not run (floor ${words(areas[area])})`);
  reached[name] = { config, args, areas: best(areas, counts) };
}
if (raise) writeFileSync(floorFile, `${JSON.stringify(reached, null, 2)}\n`);
console.log(fallen === 0 ? 'parity: at or above the floor' : `parity: ${fallen} below the floor`);
process.exit(fallen === 0 ? 0 : 1);

/** Returns a project whose program stores in a new folder at every start. */
function withFolders() {
  const folder = newFolder();
  return withFlags(folder, `process.argv.push('--data-dir=' + mkdtempSync(${JSON.stringify(join(folder, 'data-'))}));`);
}

/** Returns a project whose program stores in one etcd, with a new prefix at every start. The etcd ends with this process. */
async function withEtcd() {
  const folder = newFolder();
  const { endpoint } = await startEtcd(join(folder, 'etcd'), '--unsafe-no-fsync');
  return withFlags(
    folder,
    `process.argv.push('--etcd-servers=${endpoint}', '--etcd-prefix=' + mkdtempSync(${JSON.stringify(join(folder, 'p-'))}));`,
  );
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parity-project-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a project whose program is that of this checkout with additional flags. */
function withFlags(folder, line) {
  const main = pathToFileURL(join(root, 'dist/cli/main.js')).href;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', bin: { 'orch-apiserver': 'main.js' } }));
  writeFileSync(
    join(folder, 'main.js'),
    `import { mkdtempSync } from 'node:fs';
${line}
await import(${JSON.stringify(main)});
`,
  );
  return folder;
}

/** Returns the counts of every area of some configurations; no counts for a configuration that could not run. */
function run(config, args) {
  const out = mkdtempSync(join(tmpdir(), 'parity-'));
  const command = [
    suite,
    'check',
    '--target',
    'project',
    '--project',
    project,
    '--config',
    config,
    '--json',
    out,
    ...args,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  const counts = {};
  for (const each of config.split(',')) {
    if (each === 'startup') {
      Object.assign(counts, refusals(stdout));
      continue;
    }
    const file = join(out, `${each}.json`);
    if (!existsSync(file)) {
      console.log(`${each} could not run\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
      continue;
    }
    for (const [area, { status, exact, steps }] of Object.entries(JSON.parse(readFileSync(file, 'utf8')).areas))
      counts[area] = { status, answers: exact, steps };
  }
  rmSync(out, { recursive: true, force: true });
  return counts;
}

/** Flags and files that must be refused at the start are counted only: the exit together with its message. */
function refusals(stdout) {
  const [, equal, steps] = /^startup +refusals equal (\d+)\/(\d+)/m.exec(stdout) ?? [];
  if (steps === undefined) {
    console.log(`startup could not run\n${stdout.slice(-2000)}`);
    return {};
  }
  return { startup: { status: Number(equal), answers: Number(equal), steps: Number(steps) } };
}

function below(counts, areas) {
  return Object.keys(areas).filter((area) => {
    const { status = 0, answers = 0 } = counts[area] ?? {};
    return status < areas[area].status || answers < areas[area].answers;
  });
}

function best(one, other) {
  const out = { ...one };
  for (const [area, count] of Object.entries(other)) {
    const { status = 0, answers = 0 } = out[area] ?? {};
    out[area] = { ...count, status: Math.max(status, count.status), answers: Math.max(answers, count.answers) };
  }
  return out;
}

function words(count) {
  return count ? `${count.status} and ${count.answers}` : 'none';
}
