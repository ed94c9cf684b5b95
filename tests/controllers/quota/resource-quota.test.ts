import { beforeEach, describe, expect, it } from 'vitest';
import { QuotaCount } from '../../../src/controllers/quota/resource-quota.js';
import type { Host, Lister } from '../../../src/meta/host.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { usageEvaluators } from '../../../src/plugins/quota/evaluators.js';
import type { ResourceQuotaScope } from '../../../src/resources/core/core-v1.types.js';
import type { ResourceQuota } from '../../../src/resources/core/limits/resource-quota.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';

let stored: Map<string, ApiObject>;
let now: number;
let host: Host;
beforeEach(() => {
  stored = new Map();
  now = 1_000_000;
  const lister = () => ({ list: () => [...stored.values()] }) as unknown as Lister;
  const fake = createFakeHost();
  host = { ...fake, lister: lister as Host['lister'], clock: { ...fake.clock, now: () => now } };
});

const quota = (hard: Record<string, string>, scopes?: readonly ResourceQuotaScope[]): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'n', creationTimestamp: null },
  spec: { hard, ...(scopes ? { scopes } : {}) },
  status: {},
});
const HARD = { pods: '10', 'requests.cpu': '10', 'requests.memory': '10Gi' };

function pod(name: string, requests: Record<string, string>, more: object = {}) {
  const spec = { containers: [{ name: 'c', image: 'i', resources: { requests } }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'n', uid: name, ...more }, spec, status: {} };
}
const countOf = (of: ResourceQuota) =>
  new QuotaCount(
    host,
    of,
    usageEvaluators(host).matching(Object.keys(of.spec.hard ?? {}), ({ resource }) => resource === 'pods'),
  );
function change(count: QuotaCount, name: string, next: ApiObject | undefined) {
  const previous = stored.get(name);
  if (next) stored.set(name, next);
  else stored.delete(name);
  count.change('', 'pods', next, previous);
}

describe('the count of a quota', () => {
  it('follows creations, updates and deletions', () => {
    change(countOf(quota(HARD)), 'a', pod('a', { cpu: '100m', memory: '1Gi' }));
    const count = countOf(quota(HARD));
    change(count, 'b', pod('b', { cpu: '200m', memory: '1Gi' }));
    expect(count.amounts()).toEqual({ pods: '2', 'requests.cpu': '300m', 'requests.memory': '2Gi' });
    change(count, 'b', pod('b', { cpu: '500m' }));
    expect(count.amounts()).toEqual({ pods: '2', 'requests.cpu': '600m', 'requests.memory': '1Gi' });
    change(count, 'a', undefined);
    expect(count.amounts()).toEqual({ pods: '1', 'requests.cpu': '500m', 'requests.memory': '0' });
    expect(count.amounts()).toEqual(countOf(quota(HARD)).amounts());
    change(count, 'b', undefined);
    expect(count.amounts()).toEqual({ pods: '0', 'requests.cpu': '0', 'requests.memory': '0' });
    expect(count.isExact).toBe(true);
  });

  it('counts an object once, whatever version of it is reported', () => {
    const count = countOf(quota(HARD));
    const first = pod('a', { cpu: '1' });
    change(count, 'a', first);
    count.change('', 'pods', first, undefined);
    expect(count.amounts()).toMatchObject({ pods: '1', 'requests.cpu': '1' });
  });

  it('leaves out objects outside of its scopes and of other kinds', () => {
    const count = countOf(quota(HARD, ['Terminating']));
    change(count, 'a', pod('a', { cpu: '1' }));
    count.change('', 'configmaps', pod('b', {}), undefined);
    expect(count.amounts()).toMatchObject({ pods: '0' });
  });

  it('stops counting a pod whose deletion is overdue', () => {
    const count = countOf(quota(HARD));
    const deletionTimestamp = new Date(now + 30_000).toISOString();
    change(count, 'a', pod('a', { cpu: '1' }, { deletionTimestamp, deletionGracePeriodSeconds: 30 }));
    expect(count.amounts()).toMatchObject({ pods: '1', 'requests.cpu': '1' });
    now += 3_600_000;
    expect(count.amounts()).toMatchObject({ pods: '0', 'requests.cpu': '0' });
  });

  it('is rounded if amounts of one limit have several formats', () => {
    const count = countOf(quota(HARD));
    change(count, 'a', pod('a', { memory: '1Gi' }));
    change(count, 'b', pod('b', { memory: '1G' }));
    expect(count.isExact).toBe(false);
  });
});
