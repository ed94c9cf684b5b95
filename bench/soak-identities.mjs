// Sends requests of callers of three issuers for a while. Their keys rotate, and the configurations of authentication and authorization are
// written again every second. Checks that every response is right, and that memory does not grow:
//   node bench/soak-identities.mjs [--seconds=60] [--rate=200] [--rotation=2]
// Exits with 1 otherwise.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenAsIssuer } from '../dist/testing/index.js';
import { Api } from './soak/api.mjs';
import { startWebhook } from './soak/webhook.mjs';
import { numericOptions } from './support/options.mjs';

const { seconds, rate, rotation } = numericOptions({ seconds: 60, rate: 200, rotation: 2 });
/** The maximum growth of the collected heap from the end of the first quarter to the end. */
const GROWTH = 1.1;
const SHOWN = 20;
const PATH = '/api/v1/namespaces/default';
const OPEN = '/version';

const folder = mkdtempSync(join(tmpdir(), 'soak-identities-'));
const files = Object.fromEntries(
  ['authentication', 'authorization', 'webhook'].map((name) => [name, join(folder, `${name}.yaml`)]),
);
const issuers = await Promise.all([0, 1, 2].map(() => listenAsIssuer({ algorithm: 'ES256' })));
const webhook = await startWebhook(({ user = '' }) => user.endsWith(':reader'));

/** Returns another spelling of the configuration for each number, with the same meaning for all requests of this program. */
const authentication = (number) => ({
  apiVersion: 'apiserver.config.orch.io/v1beta1',
  kind: 'AuthenticationConfiguration',
  jwt: issuers.map(({ url, audience, certificateAuthority }, i) => ({
    issuer: { url, audiences: [audience, `more-${number}`], audienceMatchPolicy: 'MatchAny', certificateAuthority },
    claimMappings: { username: { claim: 'sub', prefix: `${i}:` }, groups: { claim: 'groups', prefix: '' } },
    claimValidationRules: [{ expression: `claims.sub != 'nobody-${number}'`, message: 'nobody' }],
  })),
});
const authorization = (number) => ({
  apiVersion: 'apiserver.config.orch.io/v1beta1',
  kind: 'AuthorizationConfiguration',
  authorizers: [
    {
      type: 'Webhook',
      name: 'hook',
      webhook: {
        timeout: '30s',
        authorizedTTL: `${100 + number}ms`,
        unauthorizedTTL: '100ms',
        subjectAccessReviewVersion: 'v1',
        matchConditionSubjectAccessReviewVersion: 'v1',
        failurePolicy: 'Deny',
        connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: files.webhook },
        matchConditions: [{ expression: `request.user != 'nobody-${number}'` }],
      },
    },
    { type: 'RBAC', name: 'rbac' },
  ],
});
function rewrite(number) {
  for (const [name, make] of Object.entries({ authentication, authorization })) {
    // The file is alternately rewritten and replaced, and sometimes invalid for a moment.
    if (number % 5 === 4) writeFileSync(files[name], 'kind: Nothing\n');
    const text = JSON.stringify(make(number));
    if (number % 2 === 0) writeFileSync(files[name], text);
    else {
      writeFileSync(`${files[name]}.next`, text);
      renameSync(`${files[name]}.next`, files[name]);
    }
  }
}
writeFileSync(
  files.webhook,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'c',
        cluster: {
          server: webhook.url,
          'certificate-authority-data': Buffer.from(webhook.certificateAuthority).toString('base64'),
        },
      },
    ],
    users: [],
    contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
    'current-context': 'x',
  }),
);
rewrite(0);

const program = await startProgram();
/** All callers use the same connections. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const problems = [];
const counts = { requests: 0, rotations: 0, rewrites: 0, slowest: 0 };

/** The requests, and the expected responses. */
const QUESTIONS = [
  { name: 'a reader of the webhook', claims: { sub: 'reader' }, path: PATH, status: 200 },
  {
    name: 'a member of a group that roles know',
    claims: { sub: 'm', groups: ['system:masters'] },
    path: PATH,
    status: 200,
  },
  { name: 'somebody without rights', claims: { sub: 'stranger' }, path: PATH, status: 403 },
  { name: 'somebody without rights, of what all may read', claims: { sub: 'stranger' }, path: OPEN, status: 200 },
  { name: 'a token that is old', claims: { sub: 'reader', exp: 1 }, path: OPEN, status: 401 },
  { name: 'a token for others', claims: { sub: 'reader', aud: 'others' }, path: OPEN, status: 401 },
  {
    name: 'a token of another issuer',
    claims: { sub: 'reader', iss: 'https://issuer.example' },
    path: OPEN,
    status: 401,
  },
  { name: 'a token that was forged', forged: true, claims: { sub: 'reader' }, path: OPEN, status: 401 },
];

/** Tokens are issued again with every rotation, so that most are cached, as in practice. */
let tokens = [];
async function makeTokens() {
  const made = issuers.flatMap((issuer, i) =>
    QUESTIONS.map(async (question) => {
      const token = await issuer.token({ ...question.claims, jti: `${counts.rotations}` });
      const other = issuers[(i + 1) % issuers.length];
      const forged = await other.token({ ...question.claims, iss: issuer.url });
      return { ...question, token: question.forged ? forged : token };
    }),
  );
  tokens = await Promise.all(made);
}
await makeTokens();

async function ask(number) {
  const { name, token, path, status } = tokens[(number * 7) % tokens.length];
  const since = performance.now();
  try {
    const answer = await new Api(program, token, agent).call('GET', path);
    if (answer.status !== status) problems.push(`${name}: ${answer.status} ${JSON.stringify(answer.value?.message)}`);
  } catch (error) {
    problems.push(`${name}: ${error.message}`);
  }
  counts.requests++;
  counts.slowest = Math.max(counts.slowest, performance.now() - since);
}

// Issuers are discovered shortly after the start.
for (const { token, status } of tokens.filter((each) => each.status === 200)) {
  const first = new Api(program, token, agent);
  for (let left = 100; (await first.call('GET', OPEN)).status !== status; left--) {
    if (left === 0) throw new Error('an issuer was not found');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const begin = Date.now();
const heaps = [];
const repeated = [
  setInterval(() => rewrite(++counts.rewrites), 1000),
  setInterval(async () => {
    await issuers[counts.rotations++ % issuers.length].rotateKeys();
    await makeTokens();
  }, rotation * 1000),
  setInterval(
    async () => heaps.push({ at: Date.now() - begin, bytes: await program.heap() }),
    Math.max(1000, seconds * 50),
  ),
];
const open = new Set();
for (let number = 0; Date.now() - begin < seconds * 1000; ) {
  for (const due = ((Date.now() - begin) / 1000) * rate; number < due; number++) {
    const asked = ask(number).finally(() => open.delete(asked));
    open.add(asked);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
for (const each of repeated) clearInterval(each);
await Promise.all(open);
await new Promise((resolve) => setTimeout(resolve, 1000));
problems.push(...program.problems);
const taken = program.lines.filter((line) => line.includes('in force')).length;
agent.destroy();
await program.stop();
await Promise.all(issuers.map((issuer) => issuer.close()));
webhook.close();
rmSync(folder, { recursive: true });

const settled = heaps.filter(({ at }) => at > seconds * 250).map(({ bytes }) => bytes);
const grown = settled.length < 4 ? 0 : Math.min(...settled.slice(-2)) / Math.min(...settled.slice(0, 2));
if (grown > GROWTH) problems.push(`the heap grew by ${grown.toFixed(2)}`);
if (counts.requests < seconds * rate * 0.95) problems.push(`only ${counts.requests} requests were sent`);
for (const problem of problems.slice(0, SHOWN)) console.log(problem);
console.log(`heap in MB: ${heaps.map(({ bytes }) => (bytes / 1e6).toFixed(1)).join(' ')}`);
console.log(
  `soak of identities: ${seconds} s, ${counts.requests} requests, ${counts.rotations} rotations, ${counts.rewrites} rewrites of both files, ` +
    `${taken} taken over, ${webhook.count.asked} questions to the webhook, slowest answer ${counts.slowest.toFixed(0)} ms, heap ×${grown.toFixed(2)}, ${problems.length} problems`,
);
process.exit(problems.length > 0 ? 1 : 0);

/** The program with both files, as users start it. */
async function startProgram() {
  const child = fork(
    fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)),
    [
      '--secure-port=0',
      `--authentication-config=${files.authentication}`,
      `--authorization-config=${files.authorization}`,
      `--cert-dir=${folder}`,
    ],
    { execArgv: ['--expose-gc', '--import', new URL('servers/heap.mjs', import.meta.url).href], silent: true },
  );
  const lines = [];
  const found = [];
  let started;
  const port = new Promise((resolve, reject) => {
    started = resolve;
    child.on('exit', (code) => {
      found.push(`the program ended with ${code}`);
      reject(new Error(`the program did not start:\n${lines.join('\n')}`));
    });
  });
  port.catch(() => {});
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      const [, number] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
      if (number) started(Number(number));
      if (/unhandled/i.test(text)) found.push(text.slice(0, 500));
    });
  return {
    port: await port,
    ca: readFileSync(join(folder, 'ca.crt'), 'utf8'),
    lines,
    problems: found,
    heap: () =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send('heap');
      }),
    async stop() {
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}
