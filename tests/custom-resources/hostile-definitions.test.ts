import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiServer } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { cpuTime } from '../support/cpu-time.js';
import { everybody, manifest } from './support.js';

let server: ApiServer;
beforeEach(async () => {
  server = new ApiServer({ dialect: 'k8s', authentication: [everybody] });
  await server.start();
});
afterEach(() => server.close());

const define = (spec: object) =>
  ask(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: manifest({ spec: spec as never }),
  });

it('a list with very many keys that are not there is refused in time, in few words', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `key${i}`);
  const items = { type: 'object', properties: { a: { type: 'string' } } };
  const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items };
  const before = cpuTime();
  const { status, message = '' } = await define({ list });
  expect(cpuTime() - before).toBeLessThan(3_000);
  expect(status).toBe(422);
  expect(message).toContain('entries must all be names of item properties');
  expect(message.length).toBeLessThan(3_000_000);
});
