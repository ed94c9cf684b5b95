import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Connection } from './connections.mjs';
import { median, row } from './measure.mjs';
import { processorTime } from './servers/process.mjs';
import { request } from './support/request.mjs';

const CONNECTIONS = 8;
const ROUND = 800;
const CALLS = 1000;
const rounds = 5;
/** The maximum microseconds of processor time that a forged token may cost the server, including HTTPS. */
const TARGET = 350;

/** The server's processor time for forged tokens, in process. */
export async function forgedInProcess(server, path, token) {
  const rows = [];
  for (const [name, forge] of Object.entries(forgeries(token))) {
    const requests = Array.from({ length: CALLS }, () => request(path, { authorization: `Bearer ${forge()}` }));
    const costs = [];
    for (let round = 0; round <= rounds; round++) {
      const before = processorTime();
      for (const request of requests) {
        const { status } = await server.handle(request);
        if (status !== 401) throw new Error(`${name}: answered with ${status}`);
      }
      if (round > 0) costs.push((processorTime() - before) / CALLS);
    }
    rows.push(costRow(`forged: ${name}`, costs));
  }
  return rows;
}

/** The same over HTTPS, with several connections. */
export async function forgedOverHttps(server, caller, path, token) {
  const rows = [];
  for (const [name, forge] of Object.entries(forgeries(token))) {
    const open = () => Connection.open({ ...caller, authorization: `Bearer ${forge()}` }, path);
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, open));
    const [first] = await Promise.all(connections.map((connection) => connection.answer()));
    if (!first.includes('401 Unauthorized')) throw new Error(`${name}: answered with ${first.toString()}`);
    const costs = [];
    for (let round = 0; round <= rounds; round++) {
      const before = await server.ask({ question: 'processorTime' });
      const counts = await Promise.all(connections.map((each) => each.repeat(first.length, ROUND)));
      const used = (await server.ask({ question: 'processorTime' })) - before;
      if (round > 0) costs.push(used / counts.reduce((sum, count) => sum + count, 0));
    }
    for (const connection of connections) connection.close();
    rows.push(costRow(`forged, over HTTPS: ${name}`, costs));
  }
  return rows;
}

/** Returns generators of forged tokens by their error. An attacker could derive them from a valid token; each call returns another one. */
function forgeries(token) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [header, claims] = token.split('.', 2);
  const { kid: _, ...rest } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const strange = Buffer.from(JSON.stringify({ ...rest, kid: 'unknown' })).toString('base64url');
  return {
    'a known key name': () => signed(header, claims, privateKey),
    'an unknown key name': () => signed(strange, claims, privateKey),
    garbage: () => randomBytes(token.length / 2).toString('hex'),
  };
}

/** ES256 signatures are random, so each token is another one. */
function signed(header, claims, key) {
  const input = `${header}.${claims}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const costRow = (topic, costs) =>
  row({ topic, measured: median(costs), target: TARGET, better: 'less', unit: 'µs', detail: 'of processor time' });
