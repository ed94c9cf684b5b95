import { anonymous } from '../dist/exports/authentication.js';
import { alwaysAllow } from '../dist/exports/authorization.js';
import { ApiServer, configMap as kind } from '../dist/index.js';
import { row } from './measure.mjs';
import { configMap } from './objects.mjs';

const OBJECTS = 20_000;

/** Memory per stored object of 1 KB, its place in the history included. Needs `node --expose-gc`. */
export default async function measure() {
  const server = new ApiServer({ authentication: [anonymous()], authorization: [alwaysAllow()] });
  await server.start();
  const client = server.client();
  for (let i = 0; i < 500; i++) await client.create(kind, configMap(`warm-${i}`, 'default', i));
  const before = held();
  for (let i = 0; i < OBJECTS; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
  const stored = held();
  const size = new TextEncoder().encode(JSON.stringify(await client.get(kind, 'c-7', { namespace: 'default' }))).length;
  await (await server.fetch(new Request('https://localhost/api/v1/configmaps'))).arrayBuffer();
  const served = held();
  await server.close();
  const each = (bytes) => bytes / OBJECTS / 1024;
  return [
    row({
      topic: 'memory per stored object',
      measured: each(stored - before),
      target: 6,
      better: 'less',
      unit: 'KB',
      detail: `${size} bytes of JSON`,
    }),
    row({
      topic: 'memory per stored object, once listed',
      measured: each(served - before),
      target: 6,
      better: 'less',
      unit: 'KB',
    }),
  ];
}

function held() {
  if (!globalThis.gc) throw new Error('run node with --expose-gc');
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
