import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// An object that is applied in one version of its kind and then in the other keeps its owners.
let world: World;
beforeAll(async () => {
  world = await startWorld({ controllers: { mode: 'stepped' }, runtimeConfig: { 'api/all': 'true' } });
});
afterAll(() => world.close());

const FLOW = 'flowcontrol.apiserver.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: '*' }];
// With a single value, its default would be filled in.
const matchConstraints = { resourceRules: rules, matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const involved = { kind: 'Pod', namespace: 'default', name: 'p' };
const event = { action: 'a', reason: 'r', type: 'Normal', eventTime: '2024-01-02T03:04:05.000000Z' };
const scaled = {
  spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
};
const level = {
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 3, limitResponse: { type: 'Reject' } } },
};
const policy = { spec: { matchConstraints, validations: [{ expression: 'true' }] } };
const forms = (
  kind: string,
  plural: string,
  namespaced: boolean,
  ...versions: readonly (readonly [string, object])[]
) => ({
  kind,
  path: (apiVersion: string) =>
    `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}${namespaced ? '/namespaces/default' : ''}/${plural}/o`,
  versions,
});

describe.each([
  forms(
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    ['autoscaling/v1', scaled],
    ['autoscaling/v2', scaled],
  ),
  forms(
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    false,
    [`${FLOW}/v1`, level],
    [`${FLOW}/v1beta3`, level],
  ),
  forms(
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    false,
    [`${ADMISSION}/v1`, policy],
    [`${ADMISSION}/v1beta1`, policy],
  ),
  forms(
    'Event',
    'events',
    true,
    ['v1', { ...event, involvedObject: involved, reportingComponent: 'c', reportingInstance: 'i' }],
    ['events.k8s.io/v1', { ...event, regarding: involved, reportingController: 'c', reportingInstance: 'i' }],
  ),
])('$kind', ({ kind, path, versions: [first, second] }) => {
  it.each([
    ['from the first version to the second and back', [first, second]],
    ['from the second version to the first and back', [second, first]],
  ])('%s', async (_, versions) => {
    const apply = async (manager: string, [apiVersion, more] = ['', {}] as readonly [string, object]) => {
      const body = { apiVersion, kind, metadata: { name: 'o', labels: { [manager]: 'yes' } }, ...more };
      const { status, value, message } = await world.apply(path(apiVersion), body, manager, '&force=true');
      expect([status, message], message).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
      return value;
    };
    const [one, other] = versions;
    await apply('alone', one);
    await apply('beside', other);
    const moved = await apply('alone', other);
    expect(moved.metadata.labels).toEqual({ alone: 'yes', beside: 'yes' });
    const fields = moved.metadata.managedFields
      .filter(({ operation }: { operation: string }) => operation === 'Apply')
      .map(({ apiVersion, fieldsV1 }: { apiVersion: string; fieldsV1: Record<string, object> }) => {
        const { 'f:metadata': _metadata, ...rest } = fieldsV1;
        return [apiVersion, rest];
      });
    expect(fields).toHaveLength(2);
    expect(fields[0]).toEqual(fields[1]);
    expect(fields[0][0]).toBe(other?.[0]);
    // No field of the object was lost in the conversions.
    const [apiVersion = '', more = {}] = one ?? [];
    expect(await world.get(path(apiVersion))).toMatchObject(more);
    await world.delete(path(apiVersion));
  });
});
