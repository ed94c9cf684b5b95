import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { row } from './measure.mjs';

const RUNS = 15;
const STARTS = 5;
const dist = (name) => new URL(`../dist/${name}`, import.meta.url);
const library = dist('index.js').href;
const program = fileURLToPath(dist('cli/main.js'));
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * A program that measures milliseconds of processor time: of Node, of the import, of the start of a server, and of its first requests, up
 * to the first decision by default roles.
 */
const START = `
  const spent = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
  const boot = spent();
  const begin = process.cpuUsage();
  const { ApiServer, configMap } = await import(${JSON.stringify(library)});
  const imported = spent(begin);
  const server = new ApiServer();
  await server.start();
  const both = spent(begin);
  await server.client().create(configMap, { metadata: { name: 'first' } }, { namespace: 'default' });
  const created = spent(begin) - both;
  await server.client().list(configMap);
  const jane = { username: 'jane', groups: ['system:authenticated'] };
  await server.client({ user: jane }).list(configMap).catch(() => {});
  const all = spent(begin);
  console.log(JSON.stringify([imported, both - imported, both, all, boot, created]));
  await server.close();
`;

/** Measures the bytes of an idle server. */
const idle = (make) => `
  const { ApiServer, CoreApiServer } = await import(${JSON.stringify(library)});
  const { configMap, lease, namespace } = await import(${JSON.stringify(dist('exports/kinds.js').href)});
  const server = ${make};
  await server.start();
  for (let i = 0; i < 5; i++) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 20)); }
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify(heapUsed + external));
  await server.close();
`;

/** Measures a bundle with three kinds, as for a browser. */
const THREE_KINDS = `
  import { CoreApiServer } from 'orch-apiserver';
  import { configMap, lease, secret } from 'orch-apiserver/kinds';
  export const server = new CoreApiServer({ resources: [configMap, lease, secret] });
`;

/** The cost of a start, as the minimum of several new processes, and the memory after it. */
export default async function measure() {
  const runs = Array.from({ length: RUNS }, () => script(START));
  const [imported, started, both, answered, boot, created] = [0, 1, 2, 3, 4, 5].map((part) =>
    Math.min(...runs.map((run) => run[part])),
  );
  const help = leastTime(() => node([program, '--help']));
  const empty = leastTime(() => node(['-e', '0']));
  const held = (make) => Math.min(...Array.from({ length: STARTS }, () => script(idle(make), ['--expose-gc'])));
  const three = held('new CoreApiServer({ resources: [configMap, lease, namespace] })');
  const all = held('new ApiServer()');
  const { bytes, tables } = await bundleOfThree();
  const ms = (topic, measured, target, detail) =>
    row({ topic, measured, better: 'less', unit: 'ms', detail, ...(target === undefined ? {} : { target }) });
  return [
    ms('import, processor time', imported, 20),
    ms('start of a server in process, processor time', started, 10),
    ms('first create of a ConfigMap, processor time', created, 5),
    ms('import and start of a server', both, 100, `least of ${RUNS} processes`),
    row({
      topic: 'import and start of a server against the start of Node itself',
      measured: both / boot,
      better: 'less',
      unit: '×',
      detail: `Node itself: ${boot.toFixed(0)} ms of processor time`,
    }),
    ms('import, start, a first write and list, a first decision about an ordinary user', answered),
    ms('orch-apiserver --help beyond an empty process', help - empty),
    ms('second npm start, until it listens', await secondStart(), 1000, `least of ${STARTS}`),
    row({
      topic: 'an idle server beyond one of three kinds',
      measured: (all - three) / 2 ** 20,
      target: 8,
      better: 'less',
      unit: 'MB',
      detail: `${(all / 2 ** 20).toFixed(1)} MB with all kinds`,
    }),
    row({
      topic: 'bundle of a server of three kinds: tables of kinds in it',
      measured: tables.size,
      target: 4,
      better: 'less',
      unit: 'tables',
      detail: `${(bytes / 1024).toFixed(0)} KB minified with what loads later: ${[...tables].join(' ')}`,
    }),
  ];
}

const node = (argv) => execFileSync(process.execPath, argv, { encoding: 'utf8', cwd: root });
const script = (text, flags = []) => JSON.parse(node([...flags, '--input-type=module', '-e', text]));

/** Returns the elapsed milliseconds. */
function leastTime(run) {
  return Math.min(
    ...Array.from({ length: STARTS }, () => {
      const begin = performance.now();
      run();
      return performance.now() - begin;
    }),
  );
}

/** The first start bundles the program; the others find its bundle. */
async function secondStart() {
  const times = [];
  for (let i = 0; i <= STARTS; i++) times.push(await untilListening());
  return Math.min(...times.slice(1));
}

function untilListening() {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    // A process group of its own, because npm does not forward every signal.
    const npm = spawn('npm', ['start', '--silent', '--', '--secure-port=0'], { cwd: root, detached: true });
    let text = '';
    let time;
    npm.stdout.on('data', (part) => {
      text += part;
      if (time !== undefined || !text.includes('Listening on')) return;
      time = performance.now() - begin;
      process.kill(-npm.pid, 'SIGTERM');
    });
    npm.on('error', reject);
    npm.on('exit', () => (time === undefined ? reject(new Error(`npm start ended: ${text}`)) : resolve(time)));
  });
}

async function bundleOfThree() {
  const { outputFiles } = await build({
    stdin: { contents: THREE_KINDS, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:*'],
    write: false,
    logLevel: 'silent',
  });
  const [{ text: code }] = outputFiles;
  // The bundle also contains code that is loaded later.
  return { bytes: code.length, tables: new Set(code.match(/io\.k8s\.api\.\w+\.v\w+/g)) };
}
