import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { row } from './measure.mjs';
import { startServer } from './servers/process.mjs';

const MILLISECONDS = 5000;
const PAUSE = 5;
/** The maximum of the 99th percentile, in milliseconds, of the requests of another client. */
const TARGET = 100;

/** The time that another client waits while a client without credentials floods the server, by the kind of flood. */
export default async function measure() {
  const chain = hostileChain();
  const rows = [];
  for (const [topic, flood] of Object.entries(floods(chain))) {
    const server = await startServer('./flooded.mjs', Buffer.from(chain.trusted).toString('base64'));
    const flooder = await startServer('./flooder.mjs');
    await flooder.ask({ question: 'flood', port: server.port, connections: 4, ...flood });
    const before = await server.ask({ question: 'processorTime' });
    const times = await ping(server);
    const used = (await server.ask({ question: 'processorTime' })) - before;
    const sent = await flooder.ask({ question: 'sent' });
    await flooder.stop();
    await server.stop();
    times.sort((a, b) => a - b);
    rows.push(
      row({
        topic: `flood of ${topic}: another client's p99`,
        measured: times[Math.floor(times.length * 0.99)],
        target: TARGET,
        better: 'less',
        unit: 'ms',
        detail: `median ${times[times.length >> 1].toFixed(1)} ms of ${times.length}; ${sent} hostile requests, ${Math.round(used / Math.max(1, sent))} µs of the server each`,
      }),
    );
  }
  return rows;
}

/** Repeats a small request; resolves with the duration of each. */
async function ping({ port, ca }) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  const once = () =>
    new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer admin' };
      const request = https.get({ host: '127.0.0.1', port, ca, agent, path: '/version', headers }, (response) =>
        response.resume().on('end', resolve),
      );
      request.on('error', reject);
    });
  await once();
  const times = [];
  for (const end = performance.now() + MILLISECONDS; performance.now() < end; ) {
    const begin = performance.now();
    await once();
    times.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  agent.destroy();
  return times;
}

const get = (headers) =>
  `GET /api/v1/pods HTTP/1.1\r\nHost: a\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const part = (object) => Buffer.from(JSON.stringify(object)).toString('base64url');

function floods(chain) {
  const token = (header) =>
    `${part(header)}.${part({ iss: 'https://kubernetes.default.svc', sub: 'system:serviceaccount:a:b', exp: 9e9 })}.${'A'.repeat(86)}`;
  return {
    'nothing hostile': { request: get([]) },
    'forged account tokens': { request: get([`Authorization: Bearer ${token({ alg: 'ES256' })}`]) },
    'tokens that are long': { request: get([`Authorization: Bearer ${'a.'.repeat(100_000)}`]) },
    'commas in Connection': { request: get(['Upgrade: websocket', `Connection: ${','.repeat(40_000)}`]) },
    'slashes in the path': {
      request: `POST /apis/authentication.k8s.io/v1/selfsubjectreviews${'/'.repeat(40_000)}x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`,
    },
    'media types': { request: get([`Accept: ${'a/b;q=0.1,'.repeat(20_000)}`]) },
    parameters: { request: `GET /api/v1/pods?${'a=b&'.repeat(50_000)} HTTP/1.1\r\nHost: a\r\n\r\n` },
    headers: { request: get(Array.from({ length: 900 }, (_, i) => `X-Remote-Extra-${i}: ${'b'.repeat(200)}`)) },
    'constrained certificates': { request: get([]), cert: chain.cert, key: chain.key },
    'refused bodies over HTTP/2': { h2: { path: '/api/v1/namespaces/a/secrets', body: 1_000_000 } },
  };
}

/** Creates a certificate with a very long name, signed by an authority of the attacker with very many constraints, and a trusted one. */
function hostileChain() {
  const folder = mkdtempSync(join(tmpdir(), 'floods-'));
  const openssl = (...argv) => execFileSync('openssl', argv, { cwd: folder, stdio: 'pipe' });
  const file = (name) => readFileSync(join(folder, name), 'utf8');
  const constraints = Array.from({ length: 8000 }, (_, i) => `excluded;DNS.${i}=${String.fromCharCode(97 + (i % 26))}`);
  const label = `${'a.'.repeat(22_000)}example`;
  const config = [
    '[req]\ndistinguished_name=dn\n[dn]\n[root]\nbasicConstraints=critical,CA:TRUE',
    `[middle]\nbasicConstraints=critical,CA:TRUE\nnameConstraints=@names\n[names]\n${constraints.join('\n')}`,
    `[leaf]\nextendedKeyUsage=clientAuth\nsubjectAltName=@alt\n[alt]\nDNS.0=${label}`,
  ];
  try {
    writeFileSync(join(folder, 'config'), config.join('\n'));
    for (const name of ['trusted', 'middle', 'leaf']) {
      openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
      openssl('req', '-new', '-key', `${name}.key`, '-subj', `/CN=${name}`, '-out', `${name}.csr`, '-config', 'config');
    }
    const sign = (name, section, ...by) =>
      openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.crt`,
        '-days',
        '30',
        '-extfile',
        'config',
        '-extensions',
        section,
        ...by,
      );
    sign('trusted', 'root', '-signkey', 'trusted.key');
    sign('middle', 'middle', '-signkey', 'middle.key');
    sign('leaf', 'leaf', '-CA', 'middle.crt', '-CAkey', 'middle.key', '-CAcreateserial');
    return { trusted: file('trusted.crt'), cert: file('leaf.crt') + file('middle.crt'), key: file('leaf.key') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
