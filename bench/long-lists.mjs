import https from 'node:https';
import { anonymous } from '../dist/exports/authentication.js';
import { alwaysAllow } from '../dist/exports/authorization.js';
import { listen } from '../dist/http/index.js';
import { ApiServer, configMap as kind } from '../dist/index.js';
import { row } from './measure.mjs';
import { configMap } from './objects.mjs';

const OBJECTS = 100_000;
const PATH = '/api/v1/configmaps';

/** How soon a long list begins, over HTTPS, as it is and compressed. */
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
  await listener.close();
  await server.close();
  return rows;
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
