import { expect, it } from 'vitest';
import { Informer } from '../../src/exports/client.js';
import { type ConfigMap, configMap } from '../../src/exports/kinds.js';
import { openSuiteServer } from '../support/servers.js';

const where = { namespace: 'default' };
const server = openSuiteServer();
const client = server.client();
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

/** Each method with options that a program without types may pass. */
const calls: Readonly<Record<string, (options: object) => unknown>> = {
  get: (options) => client.get(configMap, 'a', { ...where, ...options }),
  list: (options) => client.list(configMap, { ...where, ...options }),
  watch: (options) => client.watch(configMap, { ...where, ...options }),
  create: (options) => client.create(configMap, object, { ...where, ...options }),
  createSubresource: (options) => client.createSubresource(configMap, 'a', 'x', {}, { ...where, ...options }),
  replace: (options) => client.replace(configMap, object as ConfigMap, { ...where, ...options }),
  update: (options) => client.update(configMap, 'a', () => {}, { ...where, ...options }),
  patch: (options) => client.patch(configMap, 'a', {}, { ...where, ...options }),
  apply: (options) => client.apply(configMap, object, { ...where, ...options }),
  delete: (options) => client.delete(configMap, 'a', { ...where, ...options }),
  deleteCollection: (options) => client.deleteCollection(configMap, { ...where, ...options }),
};

it.each(Object.entries(calls))('%s refuses an option that does not exist', async (method, call) => {
  const text = `${method}: there is no option namespac; did you mean "namespace"?`;
  await expect((async () => call({ namespac: 'x' }))()).rejects.toThrow(new TypeError(text));
});

it('a misspelled dryRun does not write', async () => {
  await expect(calls['create']?.({ dryrun: true })).rejects.toThrow('did you mean "dryRun"?');
  expect((await client.list(configMap, where)).items).toEqual([]);
});

it('deleteCollection deletes what its list options select', async () => {
  for (const name of ['a', 'b']) await client.create(configMap, { metadata: { name } }, where);
  const { metadata } = await client.list(configMap, where);
  await client.create(configMap, { metadata: { name: 'c' } }, where);
  await client.deleteCollection(configMap, {
    ...where,
    resourceVersion: metadata.resourceVersion ?? '',
    resourceVersionMatch: 'Exact',
  });
  expect((await client.list(configMap, where)).items.map((item) => item.metadata.name)).toEqual(['c']);
});

it('refuses arguments of a wrong type, and names the arguments that the method takes', async () => {
  for (const value of ['crd.yaml', {}])
    await expect(server.install(value as never)).rejects.toThrow('give kinds or manifests as objects');
  for (const method of ['create', 'replace', 'apply'] as const)
    await expect(client[method](configMap, {} as never)).rejects.toThrow("as in { metadata: { name: 'a' } }");
  for (const selector of ['labelSelector', 'fieldSelector'])
    await expect(calls['list']?.({ [selector]: { app: 'shop' } })).rejects.toThrow(
      `list: ${selector} must be a string`,
    );
  await expect(server.issueClientCertificate('jane' as never)).rejects.toThrow(
    "{ username: 'jane', groups: ['admins'] }",
  );
  expect(() => new Informer(client, 'configmaps' as never)).toThrow('give a kind, such as configMap');
});
