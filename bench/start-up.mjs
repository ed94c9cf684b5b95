import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, row } from './measure.mjs';

const RUNS = 9;
const library = new URL('../dist/index.js', import.meta.url).href;
const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const SCRIPT = `
  const begin = performance.now();
  const { ApiServer } = await import(${JSON.stringify(library)});
  const imported = performance.now();
  const server = new ApiServer();
  await server.start();
  const started = performance.now();
  console.log(JSON.stringify([imported - begin, started - imported, started - begin]));
  await server.close();
`;

/** Milliseconds from nothing to a server that answers, in fresh processes. */
export default function measure() {
  const runs = Array.from({ length: RUNS }, () => JSON.parse(node(['--input-type=module', '-e', SCRIPT])));
  const [imported, started, both] = [0, 1, 2].map((part) => median(runs.map((run) => run[part])));
  const help = median(Array.from({ length: 3 }, () => time(() => node([program, '--help']))));
  const empty = median(Array.from({ length: 3 }, () => time(() => node(['-e', '0']))));
  return [
    row({
      topic: 'import and start of a server',
      measured: both,
      target: 100,
      better: 'less',
      unit: 'ms',
      detail: `import ${imported.toFixed(0)} ms, start ${started.toFixed(0)} ms`,
    }),
    row({ topic: 'orch-apiserver --help beyond an empty process', measured: help - empty, better: 'less', unit: 'ms' }),
  ];
}

const node = (argv) => execFileSync(process.execPath, argv, { encoding: 'utf8' });

function time(run) {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}
