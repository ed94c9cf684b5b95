import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Connection } from './connections.mjs';
import { row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const part = fileURLToPath(new URL('servers/scaled.mjs', import.meta.url));
const hasEtcd = canRun('etcd', '--version');

/**
 * The numbers that docs/scale.md calculates with: the cost of an object, a watch, a write, a start, a namespace and a server, each measured
 * in its own process. The minimum of several runs counts, because other work on the machine can only increase a cost.
 */
export default async function measure() {
  return [
    ...objects(),
    ...watches(),
    await connections(),
    ...writes(),
    ...reopening(),
    ...shared(),
    ...controllers(),
    ...clusters(),
  ];
}

function objects() {
  return [
    ['configMap', 'ConfigMap', 20_000],
    ['pod', 'Pod', 10_000],
  ].flatMap(([kind, name, count]) => {
    const each = least('objects', kind, count);
    const size = `${Math.round(each.bytes)} bytes of JSON`;
    return [
      bytes(`heap per ${name}`, each.stored, size),
      bytes('  once listed as JSON', each.listed),
      bytes('  resident', each.resident),
      time('  create, processor time', each.created),
      time('  in a first list, processor time', each.firstList),
      time('  in the next list', each.secondList),
    ];
  });
}

function watches() {
  const { memory, delivery, write } = least('watches', 1000);
  return [
    bytes('heap per watch in process', memory),
    time('event to 1000 watches in process, each', delivery, `the write ${write.toFixed(0)} µs`),
  ];
}

/** The memory of a watch over HTTPS, including its connection. */
async function connections() {
  const server = await startServer('./ours.mjs');
  const watch = () => Connection.open(server, '/api/v1/configmaps?watch=true');
  const open = async (count) => {
    for (let i = 0; i < count; i++) (await watch()).listen(() => {});
    await new Promise((resolve) => setTimeout(resolve, 500));
    return await server.ask({ question: 'resident' });
  };
  try {
    const before = await open(100);
    return bytes('resident per watch over HTTPS', ((await open(CONNECTIONS)) - before) / CONNECTIONS);
  } finally {
    await server.stop();
  }
}

const CONNECTIONS = 500;

function writes() {
  const storages = ['memory', 'process', 'machine', ...(hasEtcd ? ['etcd'] : [])];
  return storages.flatMap((storage) =>
    [1, 16, 128].map((atOnce) => {
      const runs = several('writes', storage, atOnce);
      const perSecond = Math.max(...runs.map((run) => run.perSecond));
      const processor = Math.min(...runs.map((run) => run.processor));
      return row({
        topic: `creates per second, ${storage}, ${atOnce} at a time`,
        measured: perSecond,
        better: 'more',
        unit: '/s',
        detail: `${processor.toFixed(0)} µs of the server's processor time each`,
      });
    }),
  );
}

function reopening() {
  const counts = { machine: [1000, 10_000, 100_000], ...(hasEtcd ? { etcd: [1000, 10_000] } : {}) };
  return Object.entries(counts).flatMap(([storage, sizes]) =>
    sizes.map((count) => {
      const { milliseconds, processor } = least('reopening', storage, count);
      return row({
        topic: `start of a server on ${count} objects, ${storage === 'etcd' ? 'etcd' : 'a folder'}`,
        measured: milliseconds,
        better: 'less',
        unit: 'ms',
        detail: `${processor.toFixed(0)} ms of processor time`,
      });
    }),
  );
}

function shared() {
  if (!hasEtcd) return [];
  const { event, write } = least('shared');
  return [time('write of another server on one etcd', event, `the own write ${write.toFixed(0)} µs`)];
}

function controllers() {
  const { made, ended, collected } = least('controllers', 500);
  return [
    time('namespace, created and provided for', made),
    time('namespace, deleted and emptied', ended),
    time('dependent that the garbage collector deletes', collected),
  ];
}

function clusters() {
  const { memory, resident, start, idle } = least('clusters', 100);
  return [
    bytes('heap per server of one process', memory),
    bytes('  resident', resident),
    row({ topic: '  start, processor time', measured: start, better: 'less', unit: 'ms' }),
    time('  idle for a second, processor time', idle),
  ];
}

const RUNS = 2;

function several(...args) {
  return Array.from({ length: RUNS }, () =>
    JSON.parse(execFileSync(process.execPath, ['--expose-gc', part, ...args.map(String)], { encoding: 'utf8' })),
  );
}

/** Returns the minimum of each number over several runs. */
function least(...args) {
  const runs = several(...args);
  return Object.fromEntries(Object.keys(runs[0]).map((name) => [name, Math.min(...runs.map((run) => run[name]))]));
}

const bytes = (topic, measured, detail) =>
  row({ topic, measured: measured / 1024, better: 'less', unit: 'KB', ...(detail ? { detail } : {}) });
const time = (topic, measured, detail) =>
  row({ topic, measured, better: 'less', unit: 'µs', ...(detail ? { detail } : {}) });

function canRun(program, flag) {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
