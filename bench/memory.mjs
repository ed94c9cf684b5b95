import { anonymous } from '../dist/exports/authentication.js';
import { alwaysAllow } from '../dist/exports/authorization.js';
import { ApiServer, configMap as kind } from '../dist/index.js';
import { row } from './measure.mjs';
import { configMap } from './objects.mjs';
import { request } from './support/request.mjs';

const OBJECTS = 20_000;

/**
 * The memory per stored object of 1 KB, including its place in the history: the heap of the object, the cached JSON after it was read, and
 * the resident memory of the process. Needs `node --expose-gc`.
 */
export default async function measure() {
  const server = new ApiServer({ authentication: [anonymous()], authorization: [alwaysAllow()] });
  await server.start();
  const client = server.client();
  for (let i = 0; i < 500; i++) await client.create(kind, configMap(`warm-${i}`, 'default', i));
  const before = held();
  for (let i = 0; i < OBJECTS; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
  const stored = held();
  const size = new TextEncoder().encode(JSON.stringify(await client.get(kind, 'c-7', { namespace: 'default' }))).length;
  for (let i = 0; i < OBJECTS; i++) await server.handle(request(`/api/v1/namespaces/default/configmaps/c-${i}`));
  const read = held();
  const { body } = await server.handle(request('/api/v1/configmaps'));
  while (!body.stream.ended) body.stream.take();
  const served = held();
  await server.close();
  const each = (after, since, of) => (of(after) - of(since)) / OBJECTS / 1024;
  const kilobytes = (topic, measured, target, detail = '') =>
    row({ topic, measured, target, better: 'less', unit: 'KB', detail });
  const all = ({ heapUsed, external }) => heapUsed + external;
  return [
    kilobytes('memory per stored object', each(stored, before, all), 2.5, `${size} bytes of JSON`),
    kilobytes(
      'its text, once read',
      each(read, stored, all),
      1.2,
      `${each(read, stored, ({ heapUsed }) => heapUsed).toFixed(2)} of it in the heap`,
    ),
    kilobytes(
      'both, once listed',
      each(served, before, all),
      6,
      `up to 16 MiB of the list, which are kept for its next reader, are ${(16_384 / OBJECTS).toFixed(2)} of an object`,
    ),
    kilobytes(
      'resident per stored object, once listed',
      each(served, before, ({ rss }) => rss),
      5,
      `${each(stored, before, ({ rss }) => rss).toFixed(1)} before; the heap had ${each(served, before, ({ heapTotal }) => heapTotal).toFixed(1)}`,
    ),
  ];
}

function held() {
  if (!globalThis.gc) throw new Error('run node with --expose-gc');
  for (let i = 0; i < 3; i++) globalThis.gc();
  return process.memoryUsage();
}
