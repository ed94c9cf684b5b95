// Runs the differential suite (optional conformance data beside the project) against the built server and compares the
// counts with the floor in tests/parity-floor.json. `--raise` writes what was reached as the new floor.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const suite = join(root, '../shared/conformance/against.mjs');
const floorFile = join(root, 'tests/parity-floor.json');
const raise = process.argv.includes('--raise');

if (!existsSync(suite)) {
  console.log('parity: skipped, there is no conformance data beside the project');
  process.exit(0);
}

const floor = JSON.parse(readFileSync(floorFile, 'utf8'));
let fell = 0;
const reached = {};
for (const [name, { config, args, areas }] of Object.entries(floor)) {
  const out = mkdtempSync(join(tmpdir(), 'parity-'));
  const command = [
    suite,
    'check',
    '--target',
    'project',
    '--project',
    root,
    '--config',
    config,
    '--json',
    out,
    ...args,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 600_000,
  });
  const counts = {};
  for (const each of config.split(',')) {
    const file = join(out, `${each}.json`);
    if (!existsSync(file)) {
      console.log(`${name}: ${each} could not run\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
      fell++;
      continue;
    }
    Object.assign(counts, JSON.parse(readFileSync(file, 'utf8')).areas);
  }
  rmSync(out, { recursive: true, force: true });
  reached[name] = { config, args, areas: {} };
  for (const [area, { status, exact, steps }] of Object.entries(counts)) {
    const least = areas[area] ?? { status: 0, answers: 0 };
    const low = status < least.status || exact < least.answers;
    if (low) fell++;
    reached[name].areas[area] = {
      status: Math.max(status, least.status),
      answers: Math.max(exact, least.answers),
      steps,
    };
    console.log(
      `${low ? 'FELL ' : ''}${name} ${area}: status ${status}/${steps} (floor ${least.status}), answers ${exact}/${steps} (floor ${least.answers})`,
    );
  }
}
if (raise) writeFileSync(floorFile, `${JSON.stringify(reached, null, 2)}\n`);
console.log(fell === 0 ? 'parity: at or above the floor' : `parity: ${fell} below the floor`);
process.exit(fell === 0 ? 0 : 1);
