import https from 'node:https';
import { anonymous } from '../dist/exports/authentication.js';
import { alwaysAllow } from '../dist/exports/authorization.js';
import { listen } from '../dist/http/index.js';
import { ApiServer, configMap as kind } from '../dist/index.js';
import { row } from './measure.mjs';
import { configMap } from './objects.mjs';

const OBJECTS = 100_000;
const PATH = '/api/v1/configmaps';
/** The bytes of the response between two measurements of the memory. */
const LOOK_EVERY = 4e6;

/** The time to the first byte of a long list over HTTPS, uncompressed and compressed. */
export default async function measure() {
  const server = new ApiServer({ dialect: 'k8s', authentication: [anonymous()], authorization: [alwaysAllow()] });
  await server.start();
  const client = server.client();
  for (let i = 0; i < OBJECTS; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
  const listener = await listen(server);
  const rows = [];
  for (const [words, headers] of [
    ['JSON', {}],
    ['JSON, compressed', { 'accept-encoding': 'gzip' }],
    ['Table', { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
  ]) {
    const { first, whole, bytes } = await read(listener, headers);
    rows.push(
      row({
        topic: `first byte of a list of ${OBJECTS} (${words}), share of the time of all`,
        measured: first / whole,
        target: 0.25,
        better: 'less',
        detail: `${first.toFixed(0)} of ${whole.toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB`,
      }),
    );
  }
  const grown = await growth(listener);
  if (grown !== undefined)
    rows.push(
      row({
        topic: `memory that grows while a list of ${OBJECTS} is read, megabytes`,
        measured: grown,
        target: 32,
        better: 'less',
        unit: 'MB',
        detail: 'the most after a collection, with a client that reads bit by bit',
      }),
    );
  await listener.close();
  await server.close();
  return rows;
}

/** Returns the maximum of additional memory while a slow client reads; undefined if garbage cannot be collected. */
async function growth({ url, certificateAuthority: ca }) {
  if (!globalThis.gc) return undefined;
  const inUse = () => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  };
  const before = inUse();
  let most = before;
  const response = await new Promise((resolve, reject) => {
    https.get(url + PATH, { ca, agent: false }, resolve).on('error', reject);
  });
  let sinceLook = 0;
  for await (const { length } of response) {
    sinceLook += length;
    if (sinceLook < LOOK_EVERY) continue;
    sinceLook = 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
    most = Math.max(most, inUse());
  }
  return most - before;
}

function read({ url, certificateAuthority: ca }, headers) {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const request = https.get(url + PATH, { ca, headers, agent: false }, (response) => {
      let first;
      let bytes = 0;
      response.on('data', ({ length }) => {
        first ??= performance.now() - begin;
        bytes += length;
      });
      response.on('end', () => resolve({ first, whole: performance.now() - begin, bytes }));
    });
    request.on('error', reject);
  });
}
