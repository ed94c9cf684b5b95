// Sends requests of mixed sizes over kept connections of HTTP/1.1 and TLS, answered early, late, with refusals and with large answers,
// and ends with 1 when a connection is reset. `--requests=` (100,000 unless given), `--connections=` (50).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const option = (name, usual) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
const requests = option('requests', 100_000);
const connections = option('connections', 50);
const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kept-'));
writeFileSync(join(folder, 'tokens.csv'), 'admin,admin,1,"system:masters"\nbob,bob,2,"plain"\n');
const port = 20_000 + Math.floor(Math.random() * 20_000);
const flags = [
  '--dialect=k8s',
  `--secure-port=${port}`,
  `--token-auth-file=${folder}/tokens.csv`,
  '--authorization-mode=RBAC',
];
const server = spawn(process.execPath, [program, ...flags, `--write-kubeconfig=${folder}/config`], { stdio: 'ignore' });
const stop = () => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
};
process.on('exit', stop);
for (let i = 0; !existsSync(`${folder}/config`); i++) {
  if (i > 600) throw new Error('the server does not start');
  await new Promise((resolve) => setTimeout(resolve, 100));
}

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
process.exit(resets === 0 ? 0 : 1);
