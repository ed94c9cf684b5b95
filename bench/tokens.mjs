import { generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { ApiServer, configMap as configMaps, serviceAccount } from '../dist/index.js';
import { Connection } from './connections.mjs';
import { forgedInProcess, forgedOverHttps } from './forged-tokens.mjs';
import { callsPerSecond, interleaved, median, microseconds, ratio, row } from './measure.mjs';
import { configMap } from './objects.mjs';
import { makeCaller, requestToken } from './servers/caller.mjs';
import { startServer } from './servers/process.mjs';
import { request } from './support/request.mjs';

const namespace = 'default';
const PATH = `/api/v1/namespaces/${namespace}/configmaps/c-0`;
const CONNECTIONS = 16;
const ROUND = 1000;
const rounds = 9;

/**
 * Service account tokens. A GET whose token is known already, against the same GET of the same user with a client
 * certificate; a token that is asked for, against nothing but the signature of one; and what tokens cost that are forged.
 */
export default async function measure() {
  return [...(await inProcess()), ...(await overHttps()), await tokenRequest()];
}

async function inProcess() {
  const server = await startWith();
  await server.client().create(configMaps, configMap('c-0'));
  const { certificate, token } = await makeCaller(server);
  const chain = [new Uint8Array(new X509Certificate(certificate.certificate).raw)];
  const requests = {
    certificate: { ...request(PATH), peerCertificates: chain },
    token: request(PATH, { authorization: `Bearer ${token}` }),
  };
  const rate = (name) => () =>
    callsPerSecond(async () => {
      const { status } = await server.handle(requests[name]);
      if (status !== 200) throw new Error(`${name}: answered with ${status}`);
    }, 250);
  const found = await interleaved({ certificate: rate('certificate'), token: rate('token') }, { rounds });
  const known = row({
    topic: 'GET with a token against one with a certificate',
    measured: ratio(found.certificate, found.token),
    target: 1.1,
    better: 'less',
    detail: `${microseconds(found.token)} against ${microseconds(found.certificate)} µs`,
  });
  const forged = await forgedInProcess(server, PATH, token);
  await server.close();
  return [known, ...forged];
}

async function overHttps() {
  const server = await startServer('./ours.mjs');
  try {
    const { certificate, token } = await server.ask({ question: 'caller' });
    const { port, ca } = server;
    const callers = {
      certificate: { port, ca, cert: certificate.certificate, key: certificate.key },
      token: { port, ca, authorization: `Bearer ${token}` },
    };
    const cost = { certificate: [], token: [] };
    const load = (name) => () => answersPerSecond(server, callers[name], cost[name]);
    const found = await interleaved({ certificate: load('certificate'), token: load('token') }, { rounds });
    return [
      row({
        topic: '  the same over HTTPS',
        measured: ratio(found.certificate, found.token),
        target: 1.1,
        better: 'less',
        detail: `${microseconds(found.token)} against ${microseconds(found.certificate)} µs`,
      }),
      row({
        topic: '  the same by processor time of the server',
        measured: ratio(cost.token, cost.certificate),
        better: 'less',
        detail: `${median(cost.token).toFixed(1)} against ${median(cost.certificate).toFixed(1)} µs`,
      }),
      ...(await forgedOverHttps(server, { port, ca }, PATH, token)),
    ];
  } finally {
    await server.stop();
  }
}

/** Adds the processor time of an answer, in microseconds, to `costs`. */
async function answersPerSecond(server, caller, costs) {
  const open = () => Connection.open(caller, PATH);
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  const [first] = await Promise.all(connections.map((connection) => connection.answer()));
  if (!first.includes('200 OK')) throw new Error(`answered with ${first.toString()}`);
  const before = await server.ask({ question: 'processorTime' });
  const begin = performance.now();
  const counts = await Promise.all(connections.map((connection) => connection.repeat(first.length, ROUND)));
  const seconds = (performance.now() - begin) / 1000;
  const used = (await server.ask({ question: 'processorTime' })) - before;
  for (const connection of connections) connection.close();
  const answers = counts.reduce((sum, count) => sum + count, 0);
  costs.push(used / answers);
  return answers / seconds;
}

async function tokenRequest() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = await startWith({ serviceAccountTokens: { signingKey } });
  const client = server.client();
  const metadata = { name: 'reader', namespace };
  await client.create(serviceAccount, { metadata });
  const ask = () => requestToken(server, client, metadata.name);
  // Signs what the server says in its token, with as much said in the header.
  const [header, claims] = (await ask()).status.token.split('.', 2).map(readPart);
  const key = await importPKCS8(signingKey, 'RS256');
  const sign = () => new SignJWT({ ...claims, jti: randomUUID() }).setProtectedHeader(header).sign(key);
  const contenders = { ask: () => callsPerSecond(ask), sign: () => callsPerSecond(sign) };
  const found = await interleaved(contenders, { rounds });
  await server.close();
  return row({
    topic: "TokenRequest, RSA of 2048 bits, against jose's SignJWT",
    measured: ratio(found.sign, found.ask),
    target: 1.3,
    better: 'less',
    detail: `${microseconds(found.ask)} against ${microseconds(found.sign)} µs`,
  });
}

async function startWith(options = {}) {
  const server = new ApiServer(options);
  await server.start();
  return server;
}

const readPart = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
