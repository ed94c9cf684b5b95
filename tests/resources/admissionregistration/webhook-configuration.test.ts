import { describe, expect, it } from 'vitest';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/exports/kinds.js';
import { created, createErrors, readBody, row, updateErrors } from '../steps.js';

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
const hook = {
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://example.com/x' },
  rules: [rule],
};
const configuration = (...webhooks: object[]) => ({ metadata: { name: 'c' }, webhooks });
const errorsOf = (change: object) =>
  createErrors(validatingWebhookConfiguration, configuration({ ...hook, ...change }));

it('sets the defaults of a webhook', () => {
  const [filled] = readBody(mutatingWebhookConfiguration, configuration(hook)).webhooks ?? [];
  expect(filled).toMatchObject({
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    reinvocationPolicy: 'Never',
    timeoutSeconds: 10,
    rules: [{ ...rule, scope: '*' }],
  });
  const service = { namespace: 'n', name: 's' };
  const [byService] =
    readBody(validatingWebhookConfiguration, configuration({ ...hook, clientConfig: { service } })).webhooks ?? [];
  expect(byService?.clientConfig.service).toEqual({ ...service, port: 443 });
  expect(byService).not.toHaveProperty('reinvocationPolicy');
});

describe('refuses a configuration', () => {
  it.each([
    [
      'with an http URL',
      { clientConfig: { url: 'http://example.com' } },
      '"http": \'https\' is the only allowed URL scheme',
    ],
    ['with a URL without a host', { clientConfig: { url: 'https:///x' } }, 'host must be specified'],
    [
      'with credentials in a URL',
      { clientConfig: { url: 'https://u:p@example.com' } },
      '"u:p": user information is not permitted',
    ],
    [
      'with a URL and a service',
      { clientConfig: { url: 'https://a', service: { namespace: 'n', name: 's' } } },
      'exactly one of url or service',
    ],
    ['with side effects in dry runs', { sideEffects: 'Some' }, 'supported values: "None", "NoneOnDryRun"'],
    ['with a name without a domain', { name: 'plain' }, 'should be a domain with at least three segments'],
    [
      'with only unknown review versions',
      { admissionReviewVersions: ['v9'] },
      'must include at least one of v1, v1beta1',
    ],
    ['with a resource beside */*', { rules: [{ ...rule, resources: ['*/*', 'pods'] }] }, "if '*/*' is present"],
    [
      'with a condition that is not boolean',
      { matchConditions: [{ name: 'x', expression: '1' }] },
      'must evaluate to bool',
    ],
  ])('%s', async (_what, change, why) => {
    expect((await errorsOf(change)).join('\n')).toContain(why);
  });

  it('with two webhooks of one name', async () => {
    expect(await createErrors(validatingWebhookConfiguration, configuration(hook, hook))).toEqual([
      'webhooks[1].name: Duplicate value: "a.example.com"',
    ]);
  });
});

it('prints the number of webhooks', () => {
  expect(
    row(validatingWebhookConfiguration, created(validatingWebhookConfiguration, configuration(hook)), 0).slice(0, 2),
  ).toEqual(['c', 1]);
});

it('accepts invalid values that are unchanged', async () => {
  const odd = {
    ...hook,
    sideEffects: 'Some',
    admissionReviewVersions: ['v9'],
    matchConditions: [{ name: 'x', expression: '1' }],
  };
  const old = created(validatingWebhookConfiguration, configuration(odd, odd));
  expect(
    await updateErrors(validatingWebhookConfiguration, configuration({ ...odd, timeoutSeconds: 3 }, odd), old),
  ).toEqual([]);
  const changed = { ...odd, matchConditions: [{ name: 'y', expression: '2' }] };
  expect(await updateErrors(validatingWebhookConfiguration, configuration(changed, odd), old)).toEqual([
    expect.stringContaining('webhooks[0].matchConditions[0].expression'),
    expect.stringContaining('webhooks[1].matchConditions[0].expression'),
  ]);
});
