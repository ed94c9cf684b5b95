// Sends requests of mixed sizes over HTTP/1.1 and TLS connections that stay open, with early and late responses, refusals and large
// responses. Exits with 1 if a connection is reset:
//   node bench/kept-connections.mjs [--requests=100000] [--connections=50]
import https from 'node:https';
import { startServer } from './servers/process.mjs';
import { numericOptions } from './support/options.mjs';

const { requests, connections } = numericOptions({ requests: 100_000, connections: 50 });
const server = await startServer('./fuzzed.mjs');
const { port } = server;

const ask = (agent, { method, path, type, body, token = 'admin' }) =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    if (body)
      Object.assign(headers, { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(body) });
    const request = https.request(
      { host: '127.0.0.1', port, method, path, agent, headers, rejectUnauthorized: false },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(String(answer.statusCode)));
        answer.on('error', (error) => resolve(error.code ?? error.message));
      },
    );
    request.on('error', (error) => resolve(error.code ?? error.message));
    request.end(body);
  });

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name, size) => JSON.stringify({ metadata: { name }, data: { a: 'z'.repeat(size) } });
const sizes = [10, 5_000, 20_000, 70_000, 130_000, 250_000];
const any = (list) => list[Math.floor(Math.random() * list.length)];
const kinds = [
  () => ({ method: 'POST', path: `${MAPS}?dryRun=All`, body: map('x', any(sizes)) }),
  () => ({ method: 'POST', path: `${MAPS}?dryRun=All`, body: map('NOT VALID', any(sizes)) }),
  () => ({ method: 'PUT', path: `${MAPS}/c${any(sizes)}?dryRun=All`, body: map(`c${any(sizes)}`, any(sizes)) }),
  () => ({
    method: 'PATCH',
    type: 'application/merge-patch+json',
    path: `${MAPS}/c${any(sizes)}?dryRun=All`,
    body: map('x', any(sizes)).replace('"name":"x"', '"labels":{"a":"b"}'),
  }),
  () => ({ method: 'GET', path: `${MAPS}/c${any(sizes)}` }),
  () => ({ method: 'POST', path: MAPS, body: map('x', any(sizes)), token: 'bob' }),
  () => ({ method: 'POST', path: MAPS, body: map('x', any(sizes)), token: 'nobody' }),
  () => ({ method: 'POST', path: MAPS, type: 'text/css', body: map('x', any(sizes)) }),
  () => ({ method: 'POST', path: '/nowhere', body: map('x', any(sizes)) }),
];
const agents = Array.from({ length: connections }, () => new https.Agent({ keepAlive: true, maxSockets: 1 }));
for (const size of sizes) await ask(agents[0], { method: 'POST', path: MAPS, body: map(`c${size}`, size) });

const answers = {};
let left = requests;
await Promise.all(
  agents.map(async (agent) => {
    while (left-- > 0) {
      const answer = await ask(agent, any(kinds)());
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  }),
);
for (const agent of agents) agent.destroy();
const resets = Object.entries(answers).reduce((sum, [answer, count]) => (/^\d+$/.test(answer) ? sum : sum + count), 0);
console.log(JSON.stringify(answers));
console.log(`kept connections: ${requests} requests, ${resets} resets on Node ${process.version}`);
await server.stop();
process.exit(resets === 0 ? 0 : 1);
