import { ApiServer, configMap, isNotFound, secret } from 'orch-apiserver';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runOperator } from './operator.js';

const where = { namespace: 'default' };
const wanted = { metadata: { name: 'a', labels: { secret: 'wanted' } } };
let server: ApiServer;
let running: Promise<void>;
const stopping = () => new AbortController();
let stop: AbortController;

beforeEach(async () => {
  server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  stop = stopping();
  running = runOperator(server.client({ userAgent: 'operator' }), stop.signal);
});
afterEach(async () => {
  stop.abort();
  await running;
  await server.close();
});

it('makes a Secret for a ConfigMap that wants one', async () => {
  const client = server.client();
  const secrets = await client.watch(secret, { ...where, fieldSelector: 'metadata.name=a' }).opened();
  await client.create(configMap, wanted, where);
  // No sleeping: the next event is waited for.
  for await (const { object } of secrets) {
    expect(object.metadata).toMatchObject({ name: 'a', ownerReferences: [{ kind: 'ConfigMap' }] });
    break;
  }
});

it('leaves nothing behind: the garbage collector takes the Secret', async () => {
  const client = server.client();
  const secrets = await client.watch(secret, { ...where, fieldSelector: 'metadata.name=a' }).opened();
  await client.create(configMap, wanted, where);
  for await (const { type } of secrets) {
    if (type === 'ADDED') await client.delete(configMap, 'a', where);
    else if (type === 'DELETED') break;
  }
  // The server's own controllers have nothing left to do after this; an operator of one's own is not waited for.
  await server.settle();
  await expect(client.get(secret, 'a', where)).rejects.toSatisfy(isNotFound);
});
