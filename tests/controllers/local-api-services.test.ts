import { expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { apiService, customResourceDefinition } from '../../src/exports/kinds.js';
import { ApiServer as Server } from '../../src/index.js';
import { fetchFrom } from '../support/ask.js';
import { definitionOf } from '../support/definitions.js';

const GROUP = 'saved.example.com';
const definition = definitionOf('apples', 'Apple', { group: GROUP });

/** The saved state of a server with APIServices, one of which was changed. */
async function savedText() {
  await using server = new Server({ dialect: 'k8s' });
  await server.start();
  await server.client().list(apiService);
  await server.install(definition);
  await server.settle();
  await server.client().update(apiService, 'v1.batch', (draft) => void (draft.spec.versionPriority = 7));
  return server.save();
}
const isDefinition = (part: string) => part.includes('"CustomResourceDefinition"');
const withoutDefinition = (text: string) =>
  text
    .split('\n---\n')
    .filter((part) => !isDefinition(part))
    .join('\n---\n');

async function begun(text: string) {
  const server = new Server({ dialect: 'k8s' });
  await server.load(text);
  await server.start();
  await server.settle();
  return server;
}
const user = { username: 'admin', groups: ['system:masters'] };
const groupsOf = async (server: ApiServer): Promise<string[]> => {
  const answer = await fetchFrom(server, '/apis', { user });
  return (await answer.json()).groups.map(({ name }: { name: string }) => name);
};
const namesOf = async (server: ApiServer) =>
  (await server.client().list(apiService)).items.map(({ metadata }) => metadata.name ?? '');

it('APIServices of a saved state are neither lost nor duplicated', async () => {
  await using server = await begun(await savedText());
  const { uid } = await server
    .client()
    .get(apiService, `v1.${GROUP}`)
    .then(({ metadata }) => metadata);
  const names = await namesOf(server);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('v1.apps');
  await server.settle();
  expect((await server.client().get(apiService, `v1.${GROUP}`)).metadata.uid).toBe(uid);
});

it('an APIService is deleted with its kinds, whether APIServices were requested or not', async () => {
  await using server = await begun(await savedText());
  await server.client().delete(customResourceDefinition, `apples.${GROUP}`);
  await server.settle();
  expect(await groupsOf(server)).not.toContain(GROUP);
  expect(await namesOf(server)).not.toContain(`v1.${GROUP}`);
});

it('an APIService whose kinds were deleted while no server ran is deleted at the start', async () => {
  await using server = await begun(withoutDefinition(await savedText()));
  expect(await groupsOf(server)).not.toContain(GROUP);
  expect(await namesOf(server)).not.toContain(`v1.${GROUP}`);
});

it('an APIService of a built-in group version that is no longer served is deleted at the start', async () => {
  const text = await savedText();
  await using server = new Server({ dialect: 'k8s', runtimeConfig: { 'batch/v1': false } });
  await server.load(text);
  await server.start();
  await server.settle();
  expect(await groupsOf(server)).not.toContain('batch');
  const names = await namesOf(server);
  expect(names).not.toContain('v1.batch');
  expect(names).toContain('v1.apps');
  // An APIService that a user registers later belongs to the user, whatever its label.
  const labels = { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' };
  const spec = { group: 'batch', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  await server.client().create(apiService, { metadata: { name: 'v1.batch', labels }, spec });
  await server.settle();
  expect(await namesOf(server)).toContain('v1.batch');
});
