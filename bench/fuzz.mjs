// Sends random requests over HTTP/1.1 and HTTP/2, and checks that every response is present, well formed and intended:
//   node bench/fuzz.mjs [--requests=1000000] [--connections=20000] [--sessions=20000] [--seed=1] [--atonce=16]
// It also opens HTTP/1.1 connections with pipelined requests, upgrade requests and malformed heads, and HTTP/2 sessions with frames of
// every kind. Exits with 1 if a response is wrong or missing, or if a request with an incomplete body was executed. The same seed sends the
// same requests.
import { http1Client, http2Client } from './fuzz/clients.mjs';
import { randomConnection } from './fuzz/connections.mjs';
import { problemOf } from './fuzz/judge.mjs';
import { randomRequest } from './fuzz/requests.mjs';
import { NEVER_CREATED, randomSession } from './fuzz/sessions.mjs';
import { startServer } from './servers/process.mjs';
import { chance } from './support/chance.mjs';
import { numericOptions } from './support/options.mjs';

const { requests, connections, sessions, seed, atonce } = numericOptions({
  requests: 1_000_000,
  connections: 20_000,
  sessions: 20_000,
  seed: 1,
  atonce: 16,
});
const SHOWN = 20;
const SLOWEST_SHOWN = 5;
/** The maximum share of requests that may be repeated because their connection was closed. */
const REPEATED = 0.001;
/** The maximum growth of the heap in bytes: caches that fill, and objects that remain. */
const GROWTH = 64 * 1024 * 1024;
/** The number of requests after which caches are full, and the maximum growth of the collected heap from then to the end of a long run. */
const CACHES_FULL = 250_000;
const LATER_GROWTH = 1.25;

const server = await startServer('./fuzzed.mjs');
const clients = [http1Client(server), http2Client(server)];
const statuses = new Map();
const problems = [];
let asked = 0;
const opened = { 'HTTP/1.1': 0, 'HTTP/2': 0 };
let repeated = 0;
let full;
/** The milliseconds of each response. */
const times = [];
/** The slowest of each thousand responses. */
const slow = [];
const started = performance.now();

const measure = async () => ({
  heap: await server.ask({ question: 'heap' }),
  objects: await server.ask({ question: 'objects' }),
});

async function caller(number) {
  const random = chance(seed * 1000 + number);
  const client = clients[number % clients.length];
  while (asked < requests) {
    if (++asked === CACHES_FULL) full = await measure();
    const request = randomRequest(random);
    const begin = performance.now();
    let answer = await client.ask(request);
    for (let attempt = 0; answer.failure === 'again' && attempt < 3; attempt++, repeated++)
      answer = await client.ask(request);
    const took = performance.now() - begin;
    times.push(took);
    if (took > (slow[Math.floor(times.length / 1000)]?.took ?? 0))
      slow[Math.floor(times.length / 1000)] = { took, client: client.name, request, status: answer.status };
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const problem = problemOf(request, answer);
    if (problem !== undefined)
      problems.push({ client: client.name, problem, request, at: performance.now() - started });
  }
}

async function connector(protocol, connect, most, random) {
  while (opened[protocol] < most) {
    opened[protocol]++;
    const { problem, text } = await connect(server, random);
    if (problem === undefined) continue;
    const request = { method: 'connection', path: '', headers: {}, body: text };
    problems.push({ client: protocol, problem, request, at: performance.now() - started });
  }
}

/** Finds objects that requests with incomplete bodies created. */
async function findNeverCreated() {
  const request = { method: 'GET', path: NEVER_CREATED, headers: { authorization: 'Bearer admin' } };
  const { body } = await clients[0].ask(request);
  if (JSON.parse(body).items.length === 0) return;
  const problem = 'requests were executed whose bodies were not whole';
  problems.push({ client: 'HTTP/2', problem, request, at: performance.now() - started });
}

const before = await measure();
const begin = performance.now();
await Promise.all(
  Array.from({ length: atonce }, (_, number) => [
    caller(number),
    connector('HTTP/1.1', randomConnection, connections, chance(seed * 2000 + number)),
    connector('HTTP/2', randomSession, sessions, chance(seed * 3000 + number)),
  ]).flat(),
);
await findNeverCreated();
const seconds = (performance.now() - begin) / 1000;
for (const client of clients) client.close();
const after = await measure();
const faults = await server.ask({ question: 'faults' });
await server.stop();

for (const { client, problem, request, at } of problems.slice(0, SHOWN)) {
  const body = request.body === undefined ? '' : String(request.body).slice(0, 400);
  console.log(
    `${client} ${request.method} ${request.path}\n  ${JSON.stringify(request.headers)}\n  ${body}\n  -> ${problem}, at ${(at / 1000).toFixed(1)} s`,
  );
}
for (const fault of faults.slice(0, SHOWN)) console.log(fault);
const slowest = Object.values(slow).sort((a, b) => b.took - a.took);
for (const { took, client, request, status } of slowest.slice(0, SLOWEST_SHOWN))
  console.log(`${took.toFixed(0)} ms: ${client} ${request.method} ${request.path.slice(0, 200)} -> ${status}`);
times.sort((a, b) => a - b);
const percentile = (share) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
const shown = ({ heap, objects }) => `${(heap / 1024 / 1024).toFixed(1)} MB with ${objects} objects`;
console.log(
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);
console.log(
  `fuzz: ${asked} requests, ${opened['HTTP/1.1']} connections and ${opened['HTTP/2']} sessions in ${seconds.toFixed(0)} s, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, slowest ${percentile(1)} ms, ${repeated} asked again, ` +
    `${clients[1].events.sessions} sessions for requests, heap ${[before, ...(full === undefined ? [] : [full]), after].map(shown).join(' -> ')}, ` +
    `${problems.length} problems, ${faults.length} faults`,
);
const grew =
  full === undefined || asked === CACHES_FULL
    ? after.heap - before.heap > GROWTH
    : after.heap > full.heap * LATER_GROWTH;
process.exit(problems.length + faults.length > 0 || grew || repeated > asked * REPEATED ? 1 : 0);
