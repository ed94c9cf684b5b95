import { Connection, Http2Connection, parseAnswer, writeRequest } from './connections.mjs';
import { interleaved, median, ratio, row } from './measure.mjs';
import { configMap, letters } from './objects.mjs';
import { startServer } from './servers/process.mjs';

const CONNECTIONS = 8;
const ROUND = 1000;
/**
 * Rounds that do not count. The engine compiles what a kind of request uses for some seconds, on threads whose processor time counts; the
 * rows are about a server that has been running for longer than that.
 */
const WARM_UP_ROUNDS = 6;
const LISTED = 10_000;
const PAGE = 500;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const READ = `${CONFIG_MAPS}/c-0`;
const LIST = '/api/v1/namespaces/listed/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const JSON_TYPE = 'application/json';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const APPLIED = '?fieldManager=bench&force=true';

/**
 * Processor time of the program with its default flags for a request over HTTPS, against a bare node:https server that answers the same
 * bytes, or parses what it was sent and sends it back; each alone in its process. Eight connections keep both busy, and the client never
 * sleeps, because waking it up would cost the server as much as a small request does. BENCH_ROWS=<text> selects rows by their topics, and
 * BENCH_PARTS=true shows the parts of both servers' time.
 */
export default async function measure() {
  const program = await startServer('./program.mjs');
  const bare = await startServer('./bare.mjs', program.cert, program.key);
  const servers = { program, bare: { ...bare, ca: program.ca, cert: program.cert, key: program.key } };
  const spinning = spin();
  try {
    await fill(program);
    const rows = [];
    for (const given of [...READS, ...LISTS, ...WRITES]) {
      if (!given.topic.includes(process.env.BENCH_ROWS ?? '')) continue;
      await given.prepare?.(program);
      if (given.path) await answerTheSame(servers, given.path);
      rows.push(await compare(servers, given));
    }
    return rows;
  } finally {
    spinning.stop();
    await bare.stop();
    await program.stop();
  }
}

async function compare({ program, bare }, { topic, target, path, protocol = Connection, against = Connection, write }) {
  const costOf = path
    ? (server, round) => costOfReads(server, path, server === bare ? against : protocol, round)
    : (server, round) => costOfWrites(server, write, round);
  const contenders = { program: () => costOf(program, ROUND), bare: () => costOf(bare, ROUND) };
  for (const run of Object.values(contenders)) for (let i = 0; i < WARM_UP_ROUNDS; i++) await run();
  const found = await interleaved(contenders);
  const parts = process.env.BENCH_PARTS ? await partsOf({ program, bare }, contenders) : [];
  const [least, most] = [Math.min(...found.program), Math.max(...found.program)].map((cost) => cost.toFixed(0));
  return row({
    topic: `HTTPS ${topic}, cpu against the bare server`,
    measured: ratio(found.program, found.bare),
    target,
    better: 'less',
    detail: `${median(found.program).toFixed(0)} (${least}-${most}) against ${median(found.bare).toFixed(0)} µs`,
    parts,
  });
}

/** Returns the parts of the processor time of a request, in a round with a profile, as lines. */
async function partsOf(servers, contenders) {
  const times = {};
  for (const [name, server] of Object.entries(servers)) {
    await server.ask({ question: 'startProfile' });
    const cost = await contenders[name]();
    const shares = await server.ask({ question: 'stopProfile' });
    times[name] = Object.fromEntries(Object.entries(shares).map(([part, share]) => [part, share * cost]));
  }
  return Object.keys(times.program).map(
    (part) =>
      `${part.padEnd(60)} ${times.program[part].toFixed(1).padStart(8)} ${times.bare[part].toFixed(1).padStart(8)} µs`,
  );
}

const READS = [
  { topic: 'GET of 1 KB', path: READ, target: 1.35 },
  { topic: 'GET over HTTP/2', path: READ, protocol: Http2Connection },
  { topic: 'GET, both over HTTP/2', path: READ, protocol: Http2Connection, against: Http2Connection, target: 1.8 },
];
const LISTS = [
  { topic: `page of ${PAGE}`, path: `${CONFIG_MAPS}?limit=${PAGE}`, target: 1.2 },
  { topic: `LIST of ${LISTED}`, path: LIST, target: 1.15, prepare: fillList },
];

const FILLING = Array.from({ length: CONNECTIONS + 1 }, (_, seed) => letters(seed, 420));
const values = (object, turn) => ({ a: `${turn} ${FILLING[object]}`, b: FILLING[object + 1] });
const named = (name, turn) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { turn: `${turn}` } },
});
/** The create of a ConfigMap that no other turn creates. */
export const createConfigMap = (object, turn) => [
  'POST',
  CONFIG_MAPS,
  JSON_TYPE,
  { ...named(`made-${turn}`, 0), data: values(object, turn) },
];
/** Each function returns method, path, type and body of the write of one connection; `turn` differs from write to write. */
const WRITES = [
  { topic: 'create of a ConfigMap', target: 4, write: createConfigMap },
  {
    topic: 'PUT',
    target: 4,
    write: (object, turn) => [
      'PUT',
      `${CONFIG_MAPS}/c-${object}`,
      JSON_TYPE,
      { ...named(`c-${object}`, turn), data: values(object, turn) },
    ],
  },
  {
    topic: 'merge patch of 1 KB',
    target: 4,
    write: (object, turn) => [
      'PATCH',
      `${CONFIG_MAPS}/c-${object}`,
      MERGE,
      { metadata: { labels: { turn: `${turn}` } }, data: values(object, turn) },
    ],
  },
  {
    topic: 'apply of 1 KB',
    target: 5,
    write: (object, turn) => [
      'PATCH',
      `${CONFIG_MAPS}/c-${object}${APPLIED}`,
      APPLY,
      { ...named(`c-${object}`, turn), data: values(object, turn) },
    ],
  },
  {
    topic: 'apply of 1 KB that changes nothing',
    target: 3.5,
    write: (object) => [
      'PATCH',
      `${CONFIG_MAPS}/c-${object}${APPLIED}`,
      APPLY,
      { ...named(`c-${object}`, 'same'), data: values(object, 'same') },
    ],
  },
  {
    topic: 'create of a small Pod',
    target: 8,
    write: (_, turn) => [
      'POST',
      PODS,
      JSON_TYPE,
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `made-${turn}`, labels: { app: 'bench' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/main:1', ports: [{ containerPort: 80 }] }] },
      },
    ],
  },
  {
    topic: 'SelfSubjectAccessReview',
    target: 3,
    write: (object) => [
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      JSON_TYPE,
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods', name: `p-${object}` } },
      },
    ],
  },
];

/** Creates the object of each connection, and the objects of the page. */
async function fill(program) {
  await create(
    program,
    Array.from({ length: PAGE }, (_, i) => [CONFIG_MAPS, configMap(`c-${i}`, 'default', i)]),
  );
}

/** The list is in a namespace of its own, so that its length does not depend on the other rows. */
async function fillList(program) {
  const items = Array.from({ length: LISTED }, (_, i) => [LIST, configMap(`c-${i}`, 'listed', i)]);
  await create(program, [['/api/v1/namespaces', { metadata: { name: 'listed' } }], ...items]);
}

/** Creates objects over a connection of its own, because the server closes connections that stay idle. */
async function create(program, objects) {
  const connection = await Connection.open(program, CONFIG_MAPS);
  for (const [path, object] of objects) await send(connection, ['POST', path, JSON_TYPE, object]);
  connection.close();
}

async function send(connection, [method, path, type, body]) {
  const answer = await connection.answer(writeRequest(method, path, type, JSON.stringify(body)));
  if (!/^HTTP\/1.1 20/.test(answer.toString('latin1', 0, 16))) throw new Error(answer.toString());
}

/** Lets the bare server respond with what the program responds. */
async function answerTheSame({ program, bare }, path) {
  const one = await Connection.open(program, path);
  await bare.ask({ question: 'answer', ...parseAnswer(await one.answer()) });
  one.close();
}

/** Microseconds of the server's processor time for a read. */
async function costOfReads(server, path, protocol, milliseconds) {
  const target = protocol === Http2Connection && server.port2 ? { ...server, port: server.port2 } : server;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => protocol.open(target, path)));
  const lengths = await Promise.all(connections.map((connection) => connection.answer()));
  const before = await server.ask({ question: 'processorTime' });
  const counts = await Promise.all(
    connections.map((connection, i) => connection.repeat(lengths[i].length, milliseconds)),
  );
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  return used / counts.reduce((sum, count) => sum + count, 0);
}

let turn = 0;

/** Microseconds of the server's processor time for a write, with several concurrent writes. */
export async function costOfWrites(server, write, milliseconds, atOnce = CONNECTIONS) {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => Connection.open(server, CONFIG_MAPS)));
  const before = await server.ask({ question: 'processorTime' });
  const end = performance.now() + milliseconds;
  let writes = 0;
  const writeOn = async (connection, object) => {
    do {
      writes++;
      await send(connection, write(object, ++turn));
    } while (performance.now() < end);
  };
  await Promise.all(connections.map(writeOn));
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  return used / writes;
}

/** Keeps this process from sleeping. */
function spin() {
  let spinning = true;
  const turnOver = () => spinning && setImmediate(turnOver);
  turnOver();
  return { stop: () => (spinning = false) };
}
