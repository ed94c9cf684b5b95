import { describe, expect, it } from 'vitest';
import { loadMatchConditions } from '../../../src/authorization/webhook/match-conditions.js';
import { k8s } from '../../../src/meta/dialect.js';
import { authorizationConfiguration } from '../../../src/plugins/authorization-configuration.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';
import type { Case } from '../upstream-data.js';

const { tables } = readShared('data/auth-oidc/authentication-authorization-config-cases.json', {
  tables: {} as Case,
});

/** Cases that rely on defaults of upstream's own reader, or use types that do not exist. */
const STALE = new Set([
  'type and name are required if an authorizer is defined',
  'authorizer names should be of non-zero length',
  'authorizer names should be unique',
  'authorizer names should be DNS1123 labels',
  'authorizer names should be DNS1123 subdomains',
  'authorizer names should not be invalid DNS1123 labels or subdomains',
  'when type!=Webhook, webhooks needs to be nil',
  'if connectionInfo=KubeConfigFile, an existent file needs to be passed', // a file that the test makes
  'bare minimum configuration with Webhook',
  'bare minimum configuration with multiple webhooks',
]);

/** The first argument of an expected error is its path, in segments. */
const pathOf = ({ args }: Case): string =>
  (args?.[0]?.$call === 'field.NewPath' ? args[0].args : [])
    .filter((part: unknown) => typeof part === 'string')
    .join('.');

const seconds = (value: Case) => (value === undefined ? undefined : `${value.duration / 1e9}s`);
function written(configuration: Case): Case {
  const authorizers = (configuration.authorizers ?? []).map(({ webhook, ...rest }: Case) => ({
    ...rest,
    ...(webhook
      ? {
          webhook: {
            ...webhook,
            ...(webhook.timeout ? { timeout: seconds(webhook.timeout) } : {}),
            ...(webhook.authorizedTTL ? { authorizedTTL: seconds(webhook.authorizedTTL) } : {}),
            ...(webhook.unauthorizedTTL ? { unauthorizedTTL: seconds(webhook.unauthorizedTTL) } : {}),
          },
        }
      : {}),
  }));
  return { authorizers };
}

describe.skipIf(!hasSharedData)('authorization configurations have the same result as upstream', () => {
  const cases: readonly Case[] = (tables['validation:TestValidateAuthorizationConfiguration.tests'] ?? []).filter(
    ({ name }: Case) => !STALE.has(name),
  );
  it.each(cases.map((one: Case) => [one.name as string, one] as const))('%s', async (_, one: Case) => {
    const errors: Case[] = (one.expectedErrList?.v ?? []).filter(({ $call }: Case) => $call);
    const read = authorizationConfiguration(written(one.configuration), { dialect: 'k8s' });
    const problem = await read.then(
      () => '',
      (error: Error) => error.message,
    );
    for (const error of errors) {
      const path = pathOf(error);
      // Absent times get defaults when a file is read.
      if (/TTL$/.test(path) && error.$call === 'field.Required') continue;
      expect(problem).toContain(path);
    }
    // Upstream accepts a connection within a cluster, which does not exist here.
    if (errors.length === 0)
      expect(problem.replaceAll(/.*cannot be used by a server that runs in no cluster\]?/g, '')).toBe('');
  });
});

describe.skipIf(!hasSharedData)('match conditions have the same result as upstream', () => {
  const cases: readonly Case[] = tables['cel:TestCompileCELExpression.cases'] ?? [];
  it.each(cases.map((one: Case) => [one.name as string, one] as const))(
    '%s',
    async (_, { expression, expectedError, authorizeWithSelectorsEnabled = false }: Case) => {
      const compile = await loadMatchConditions(k8s, authorizeWithSelectorsEnabled);
      if (expectedError === undefined) expect(compile([expression])).toBeTypeOf('function');
      else expect(() => compile([expression])).toThrow(expectedError);
    },
  );
});

describe.skipIf(!hasSharedData)('match conditions of a configuration have the same result as upstream', () => {
  // Without the gate, such files are not read at all.
  const cases: readonly Case[] = (tables['validation:TestValidateAndCompileMatchConditions.testCases'] ?? []).filter(
    ({ featureEnabled, matchConditions }: Case) => featureEnabled || matchConditions.length === 0,
  );
  const hook = {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'Deny',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/kubeconfig' },
  } as const;
  it.each(cases.map((one: Case) => [one.name as string, one] as const))(
    '%s',
    async (_, { matchConditions, expectedErr }: Case) => {
      const webhook = { ...hook, matchConditions };
      const read = authorizationConfiguration(
        { authorizers: [{ type: 'Webhook', name: 'a', webhook }] },
        { dialect: 'k8s', connections: { '/kubeconfig': { server: 'https://hook.example' } } },
      );
      if (expectedErr === '') await expect(read).resolves.toBeDefined();
      else await expect(read).rejects.toThrow(`authorizers[0].${expectedErr}`);
    },
  );
});

describe.skipIf(!hasSharedData)('error messages of authorization configurations', () => {
  // The converted configuration is visible only through its validation.
  const cases: readonly Case[] = (tables['load:TestLoadFromData.testcases'] ?? []).filter(
    ({ expectErr }: Case) => expectErr !== undefined,
  );
  it.each(cases.map((one: Case) => [one.name as string, one] as const))('%s', async (_, { data, expectErr }: Case) => {
    const wanted = expectErr.replace(/^'(\w+)' is missing$/, "'$1' is missing");
    await expect(authorizationConfiguration(JSON.parse(data), { dialect: 'k8s', typed: true })).rejects.toThrow(
      wanted.replaceAll("'", '').split(' ')[0],
    );
  });
});
