import { describe, expect, it } from 'vitest';
import { authorizationConfiguration } from '../../src/plugins/authorization-configuration.js';

const connection = { url: 'https://webhook.example' } as never;
const conditions = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ expression: `request.user != 'user-${i}'` }));

describe.each(['orch', 'k8s'] as const)('limits of an AuthorizationConfiguration in %s (spec 12.13)', (dialect) => {
  const read = (authorizers: object[]) =>
    authorizationConfiguration({ authorizers } as never, {
      dialect,
      connections: { '/kubeconfig': connection },
      abacPolicy: { text: '' },
    }).then(
      () => '',
      (error: Error) => error.message,
    );
  const webhook = (more: object, name = 'asked') => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '30s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/kubeconfig' },
      ...more,
    },
  });

  it.each([
    ['30s', ''],
    ['1ns', ''],
    ['30.000000001s', 'authorizers[0].timeout: Invalid value: "30.000000001s": must be > 0s and <= 30s'],
    ['31s', 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
    ['-1s', 'authorizers[0].timeout: Invalid value: "-1s": must be > 0s and <= 30s'],
    ['0s', 'authorizers[0].timeout: Required value'],
  ])('timeout %s: %j', async (timeout, problem) => {
    expect(await read([webhook({ timeout })])).toBe(problem);
  });

  it.each(['authorizedTTL', 'unauthorizedTTL'])('%s is not below zero', async (field) => {
    expect(await read([webhook({ [field]: '1ns' })])).toBe('');
    expect(await read([webhook({ [field]: '-1ns' })])).toBe(
      `authorizers[0].${field}: Invalid value: "-1ns": must be > 0s`,
    );
  });

  it('are 64 match conditions', async () => {
    expect(await read([webhook({ matchConditions: conditions(64) })])).toBe('');
    expect(await read([webhook({ matchConditions: conditions(65) })])).toContain(
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    );
  });

  it('is one authorizer of each type but Webhook', async () => {
    expect(await read([webhook({}), webhook({}, 'other'), { type: 'RBAC', name: 'rbac' }])).toBe('');
    const twice = ['one', 'two'].map((name) => ({ type: 'RBAC', name }));
    expect(await read(twice)).toBe('authorizers[1].type: Duplicate value: "RBAC"');
  });

  it('19.9: the version of match conditions', async () => {
    const required = 'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value';
    const without = { matchConditionSubjectAccessReviewVersion: undefined };
    expect(await read([webhook(without)])).toBe(dialect === 'orch' ? required : '');
    expect(await read([webhook({ ...without, matchConditions: conditions(1) })])).toContain(required);
  });

  it.each(['ABAC', 'AlwaysAllow', 'AlwaysDeny'])('19.10: the type %s', async (type) => {
    const supported = '"Node", "RBAC", "Webhook"';
    expect(await read([{ type, name: type.toLowerCase() }])).toBe(
      dialect === 'orch' ? `authorizers[0].type: Unsupported value: "${type}": supported values: ${supported}` : '',
    );
  });
});
