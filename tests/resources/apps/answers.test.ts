import { expect, it } from 'vitest';
import { ask } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

const APPS = '/apis/apps/v1/namespaces/default';
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] },
};
const spec = { selector: { matchLabels: { app: 'a' } }, template };

const server = openSuiteServer();

const make = (path: string, body: object | string, query = '') => ask(server, { method: 'POST', path, query, body });

it('a ControllerRevision keeps its data, which nobody looks into', async () => {
  const strict = 'fieldValidation=Strict';
  const revision = (data: string) => `{"metadata":{"name":"r"},"revision":1,${data}}`;
  const made = await make(`${APPS}/controllerrevisions`, revision('"data":{"spec":{"nope":1,"nope":2}}'), strict);
  expect([made.status, made.value.data]).toEqual([201, { spec: { nope: 2 } }]);
  const twice = await make(`${APPS}/controllerrevisions`, revision('"data":{},"data":{}'), strict);
  expect(twice.message).toContain('duplicate field "data"');
});

it('a DaemonSet counts its templates by a number', async () => {
  const annotations = { 'deprecated.daemonset.template.generation': 'many' };
  const { status, message } = await make(`${APPS}/daemonsets`, { metadata: { name: 'd', annotations }, spec });
  expect(`${status} ${message}`).toBe(
    '400 DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "many": invalid syntax',
  );
});

it('unknown fields of a patched object are reported by name', async () => {
  await make(`${APPS}/deployments`, { metadata: { name: 'd' }, spec });
  const { headers } = await ask(server, {
    method: 'PATCH',
    path: `${APPS}/deployments/d`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { template: { metadata: { label: 1 } }, minReady: 2 } },
  });
  expect([headers['Warning']].flat()).toEqual([
    '299 - "unknown field \\"spec.minReady\\""',
    '299 - "unknown field \\"spec.template.metadata.label\\""',
  ]);
});

it.each([
  ['/apis/batch/v1/namespaces/default/jobs', 'field label "spec.x" not supported for Job'],
  ['/api/v1/namespaces/default/replicationcontrollers', 'field label not supported: spec.x'],
])('%s says which fields select', async (path, message) =>
  expect((await ask(server, { path, query: 'fieldSelector=spec.x%3Dy' })).message).toBe(message),
);
