import { expect, it } from 'vitest';
import { everybody } from '../custom-resources/support.js';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

const server = suiteServer({ authentication: [everybody] });
const MAPS = '/api/v1/namespaces/default/configmaps';
const SYSTEM_FIELDS = {
  creationTimestamp: '2020-01-01T00:00:00Z',
  deletionTimestamp: '2020-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 7,
  selfLink: '/x',
};
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...SYSTEM_FIELDS, name } });

const apply = async (name: string, query = '') =>
  (
    await ask(server, {
      method: 'PATCH',
      path: `${MAPS}/${name}`,
      query: `fieldManager=m${query}`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: map(name),
    })
  ).value.metadata;

it('removes the fields that only the server sets from the body of a POST', async () => {
  const { value } = await ask(server, { method: 'POST', path: MAPS, body: map('posted') });
  for (const name of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
    expect(value.metadata).not.toHaveProperty(name);
});

it('keeps the deletion that an apply states when it creates its object, but neither the time of creation nor a link', async () => {
  const created = await apply('applied');
  expect(created).toMatchObject({ deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 7 });
  expect(created.creationTimestamp).not.toBe('2020-01-01T00:00:00Z');
  expect(created).not.toHaveProperty('selfLink');
});

it('shows the link in a dry run, because it is removed when an object is stored', async () => {
  expect(await apply('dry', '&dryRun=All')).toMatchObject({ selfLink: '/x' });
});
