import { describe, expect, it } from 'vitest';
import {
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
} from '../../src/exports/kinds.js';
import { type ApiServer, configMap } from '../../src/index.js';
import { reviewHandler } from '../../src/outbound/review-handler.js';
import { createFakeClock } from '../../src/testing/index.js';
import { seriesOf } from '../support/metrics.js';
import { openServer } from '../support/servers.js';

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const inDefault = { namespace: 'default' };
const create = (server: ApiServer, name: string) =>
  server
    .client()
    .create(configMap, { metadata: { name } }, inDefault)
    .catch(() => {});
const lines = async (server: ApiServer, name: string) =>
  (await seriesOf(server, name)).map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`);

describe('the metrics of expressions', () => {
  it('count the decisions of policies by their enforcement action', async () => {
    await using server = await openServer({ metrics: true });
    const client = server.client();
    const validations = [{ expression: "object.metadata.name != 'bad'" }, { expression: "object.data.x == '1'" }];
    const matchConditions = [{ name: 'mine', expression: "!object.metadata.name.startsWith('other')" }];
    const spec = { matchConstraints: { resourceRules: [rule] }, validations, matchConditions, failurePolicy: 'Ignore' };
    await client.create(validatingAdmissionPolicy, { metadata: { name: 'p' }, spec } as never);
    const bound = { policyName: 'p', validationActions: ['Warn', 'Audit'] };
    await client.create(validatingAdmissionPolicyBinding, { metadata: { name: 'b' }, spec: bound } as never);
    for (const name of ['good', 'bad', 'other']) await create(server, name);
    const checks = 'apiserver_validating_admission_policy_check';
    // An expression that fails is ignored by the failure policy, and one that is true is not counted.
    expect(await lines(server, `${checks}_total`)).toEqual([
      'allow invalid_error p b 2',
      'audit invalid_error p b 1',
      'warn invalid_error p b 1',
    ]);
    expect(await lines(server, `${checks}_duration_seconds_count`)).toEqual(await lines(server, `${checks}_total`));
    const conditions = 'apiserver_admission_match_condition';
    expect(await lines(server, `${conditions}_exclusions_total`)).toEqual(['policy p CREATE validate 1']);
    expect(await lines(server, `${conditions}_evaluation_seconds_count`)).toEqual(['policy p CREATE validate 3']);
  });

  it('count the results of match conditions of webhooks', async () => {
    await using server = await openServer({ metrics: true });
    server.services.set(
      'default/hook',
      reviewHandler(() => ({ allowed: true })),
    );
    const hook = {
      name: 'hook.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { service: { namespace: 'default', name: 'hook' } },
      rules: [rule],
      failurePolicy: 'Ignore',
      matchConditions: [
        { name: 'broken', expression: "object.data.none == ''" },
        { name: 'named', expression: "object.metadata.name == 'a'" },
      ],
    };
    const configuration = { metadata: { name: 'hooks' }, webhooks: [hook] };
    await server.client().create(validatingWebhookConfiguration, configuration as never);
    for (const name of ['a', 'b']) await create(server, name);
    const conditions = 'apiserver_admission_match_condition';
    const labels = 'webhook hook.example.com CREATE validating';
    expect(await lines(server, `${conditions}_evaluation_errors_total`)).toEqual([`${labels} 2`]);
    expect(await lines(server, `${conditions}_exclusions_total`)).toEqual([`${labels} 1`]);
    expect(await lines(server, `${conditions}_evaluation_seconds_count`)).toEqual([`${labels} 2`]);
  });
});

it('the duration of a request excludes the time of webhooks', async () => {
  const clock = createFakeClock();
  await using server = await openServer({ metrics: true, clock });
  server.services.set(
    'default/slow',
    reviewHandler(() => {
      clock.advance(3_000);
      return { allowed: true };
    }),
  );
  const hook = {
    name: 'slow.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service: { namespace: 'default', name: 'slow' } },
    rules: [rule],
  };
  await server.client().create(validatingWebhookConfiguration, { metadata: { name: 'h' }, webhooks: [hook] } as never);
  await create(server, 'a');
  const sum = async (name: string) =>
    (await seriesOf(server, `${name}_sum`)).find(
      ({ labels }) => labels['resource'] === 'configmaps' && labels['verb'] === 'POST',
    )?.value;
  expect(await sum('apiserver_request_duration_seconds')).toBe('3');
  expect(await sum('apiserver_request_sli_duration_seconds')).toBe('0');
});
