import { expect, it } from 'vitest';
import { configMap, mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/exports/kinds.js';
import type { JsonObject } from '../../../src/json/value.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { outcome } from '../../authorization/server.js';
import { seriesOf } from '../../support/metrics.js';
import { openServer } from '../../support/servers.js';

/* The metrics of calls of webhooks, by their results. */

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
const hook = {
  name: 'h.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { namespace: 'default', name: 'h' } },
  rules,
};
const answering = (answer: JsonObject) => reviewHandler(() => answer);
const failing = (status: number) => async () => new Response('broken', { status });
const patching = (...patch: JsonObject[]) => answering({ allowed: true, patch });

it.each([
  ['mutating', 'that answers with 404', failing(404), 'Fail', '404 true', 'calling_webhook_error 404'],
  ['validating', 'that answers with 404', failing(404), 'Fail', '404 true', 'calling_webhook_error 404'],
  ['mutating', 'that is ignored', failing(500), 'Ignore', '500 false', undefined],
  ['mutating', 'that is not there', undefined, 'Fail', '503 true', 'calling_webhook_error 503'],
  ['validating', 'that is not there', undefined, 'Fail', '400 true', 'calling_webhook_error 400'],
  ['mutating', 'that refuses', answering({ allowed: false }), 'Fail', '400 true', 'no_error 400'],
  ['mutating', 'that patches', patching({ op: 'add', path: '/data', value: {} }), 'Fail', '200 false', undefined],
  [
    'mutating',
    'whose patch does not fit',
    patching({ op: 'remove', path: '/data/none' }),
    'Fail',
    '0 true',
    'apiserver_internal_error 0',
  ],
  [
    'mutating',
    'whose patch has an unknown type',
    answering({ allowed: true, patch: btoa('[]'), patchType: 'Merge' }),
    'Fail',
    '400 true',
    'calling_webhook_error 400',
  ],
] as const)('a %s webhook %s is counted', async (sort, _name, handler, failurePolicy, request, rejection) => {
  await using server = await openServer({ metrics: true });
  if (handler) server.services.set('default/h', handler);
  const client = server.client();
  const kind = (sort === 'mutating' ? mutatingWebhookConfiguration : validatingWebhookConfiguration) as never;
  await client.create(kind, { metadata: { name: 'h' }, webhooks: [{ ...hook, failurePolicy }] } as never);
  await outcome(client.create(configMap, { metadata: { name: 'm', namespace: 'default' } }));
  const read = async (family: string, ...labels: readonly string[]) =>
    (await seriesOf(server, `apiserver_admission_webhook_${family}`)).map((series) =>
      labels.map((label) => series.labels[label]).join(' '),
    );
  expect(await read('request_total', 'code', 'rejected')).toEqual([request]);
  expect(await read('rejection_count', 'error_type', 'rejection_code')).toEqual(rejection ? [rejection] : []);
});
