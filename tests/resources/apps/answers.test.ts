import { expect, it } from 'vitest';
import { requestsTo } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

const APPS = '/apis/apps/v1/namespaces/default';
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] },
};
const spec = { selector: { matchLabels: { app: 'a' } }, template };

const server = openSuiteServer();
const { get, post, merge } = requestsTo(server);

it('a ControllerRevision stores its data without validation', async () => {
  const strict = 'fieldValidation=Strict';
  const revision = (data: string) => `{"metadata":{"name":"r"},"revision":1,${data}}`;
  const made = await post(`${APPS}/controllerrevisions?${strict}`, revision('"data":{"spec":{"nope":1,"nope":2}}'));
  expect([made.status, made.value.data]).toEqual([201, { spec: { nope: 2 } }]);
  const twice = await post(`${APPS}/controllerrevisions?${strict}`, revision('"data":{},"data":{}'));
  expect(twice.message).toContain('duplicate field "data"');
});

it('a DaemonSet has a number for the generation of its template', async () => {
  const annotations = { 'deprecated.daemonset.template.generation': 'many' };
  const { status, message } = await post(`${APPS}/daemonsets`, { metadata: { name: 'd', annotations }, spec });
  expect(`${status} ${message}`).toBe(
    '400 DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "many": invalid syntax',
  );
});

it('unknown fields of a patched object are reported by name', async () => {
  await post(`${APPS}/deployments`, { metadata: { name: 'd' }, spec });
  const { headers } = await merge(`${APPS}/deployments/d`, {
    spec: { template: { metadata: { label: 1 } }, minReady: 2 },
  });
  expect([headers['Warning']].flat()).toEqual([
    '299 - "unknown field \\"spec.minReady\\""',
    '299 - "unknown field \\"spec.template.metadata.label\\""',
  ]);
});

it.each([
  ['/apis/batch/v1/namespaces/default/jobs', 'field label "spec.x" not supported for Job'],
  ['/api/v1/namespaces/default/replicationcontrollers', 'field label not supported: spec.x'],
])('%s lists its selectable fields', async (path, message) =>
  expect((await get(`${path}?fieldSelector=spec.x%3Dy`)).message).toBe(message),
);
