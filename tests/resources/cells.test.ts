import { describe, expect, it } from 'vitest';
import {
  csiDriver,
  deviceClass,
  endpointSlice,
  flowSchema,
  horizontalPodAutoscaler,
  ingress,
  ipAddress,
  job,
  node,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  resourceClaim,
  resourceQuota,
  resourceSlice,
  service,
  storageClass,
  storageVersion,
  validatingAdmissionPolicyBinding,
  volumeAttributesClass,
} from '../../src/exports/kinds.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';
import { readBody, row } from './steps.js';

/*
 * Cells of tables for objects in unusual states, from upstream's tables of cells.
 */
const NOW = Date.parse('2026-01-01T00:10:00Z');
const metadata = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' };
const GOING = { ...metadata, deletionTimestamp: '2026-01-01T00:09:00Z' };

/** Returns the cells between name and age. */
function cells<T extends ApiObject>(definition: ResourceDefinition<T>, body: object, wide = false) {
  return row(definition, readBody(definition, { metadata, ...body }), NOW, wide).slice(1);
}
const c = (name: string) => ({ name, image: 'i' });
const condition = (type: string, status = 'True') => ({ type, status });

describe('jobs', () => {
  const of = (spec: object, status: object, meta: object = metadata) =>
    cells(job, { metadata: meta, spec: { template: { spec: { containers: [c('m')] } }, ...spec }, status })
      .slice(0, 3)
      .join(' | ');
  const conditions = (...types: string[]) => ({ conditions: types.map((type) => condition(type)) });
  it.each([
    ['Running | 1/2 | ', of({ completions: 2 }, { succeeded: 1 })],
    ['Running | 0/1 | ', of({ parallelism: 1 }, {})],
    ['Running | 0/1 of 3 | ', of({ parallelism: 3 }, {})],
    ['Running | 0/1 | 9m', of({ parallelism: 0 }, { startTime: '2026-01-01T00:01:00Z' })],
    [
      'Complete | 0/1 | 30s',
      of({}, { ...conditions('Complete'), startTime: '2026-01-01T00:01:00Z', completionTime: '2026-01-01T00:01:30Z' }),
    ],
    ['Failed | 0/1 | ', of({}, conditions('Failed', 'FailureTarget'), GOING)],
    ['Terminating | 0/1 | ', of({}, conditions('Suspended'), GOING)],
    ['Suspended | 0/1 | ', of({}, conditions('Suspended'))],
    ['FailureTarget | 0/1 | ', of({}, conditions('FailureTarget'))],
    ['Running | 0/1 | ', of({}, conditions('SuccessCriteriaMet'))],
    ['Running | 0/1 | ', of({}, { conditions: [condition('Complete', 'False')] })],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });
});

describe('services', () => {
  const external = (spec: object, ingresses: object[] = []) =>
    cells(service, { spec, status: { loadBalancer: { ingress: ingresses } } })[2];
  const [ip1, ip2] = [{ ip: '2.2.2.2' }, { ip: '3.3.3.3' }];
  const externalIPs = ['4.4.4.4', '1.1.1.1'];
  it.each([
    ['<none>', external({ type: 'NodePort' })],
    ['4.4.4.4,1.1.1.1', external({ type: 'ClusterIP', externalIPs })],
    ['<pending>', external({ type: 'LoadBalancer' })],
    ['4.4.4.4,1.1.1.1', external({ type: 'LoadBalancer', externalIPs })],
    // Addresses of load balancers are sorted without duplicates; other addresses are printed as they were written.
    ['2.2.2.2,3.3.3.3', external({ type: 'LoadBalancer' }, [ip2, ip1, ip2])],
    ['2.2.2.2,3.3.3.3,4.4.4.4,1.1.1.1', external({ type: 'LoadBalancer', externalIPs }, [ip2, ip1])],
    ['b.example.com', external({ type: 'LoadBalancer' }, [{ hostname: 'b.example.com' }])],
    ['a.example.com', external({ type: 'ExternalName', externalName: 'a.example.com' })],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });
});

describe('ingresses', () => {
  const hosts = (...names: string[]) => cells(ingress, { spec: { rules: names.map((host) => ({ host })) } })[1];
  it.each([
    ['*', hosts()],
    ['*', hosts('', '', '', '')],
    ['a', hosts('', '', '', 'a')],
    ['a,b,c', hosts('a', '', 'b', 'c')],
    ['a,b,c', hosts('a', 'b', 'c')],
    ['a,b,c + 2 more...', hosts('a', '', 'b', 'c', 'd')],
    ['a,b,c + 1 more...', hosts('a', 'b', 'c', '')],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });
});

describe('nodes', () => {
  const of = (labels: object, more: object = {}) =>
    cells(node, { metadata: { ...metadata, labels }, ...more }).slice(0, 2);
  const ready = (status: string) => ({ status: { conditions: [condition('Ready', status)] } });
  const role = 'node-role.kubernetes.io';
  it.each([
    ['Unknown <none>', of({})],
    ['Ready <none>', of({}, ready('True'))],
    ['NotReady <none>', of({}, ready('Unknown'))],
    ['Unknown,SchedulingDisabled <none>', of({}, { spec: { unschedulable: true } })],
    ['NotReady,SchedulingDisabled <none>', of({}, { spec: { unschedulable: true }, ...ready('False') })],
    ['Unknown a,b,c', of({ [`${role}/c`]: '', [`${role}/a`]: 'x', 'kubernetes.io/role': 'b', [`${role}/b`]: '' })],
    ['Unknown <none>', of({ [`${role}/`]: '', 'kubernetes.io/role': '' })],
    ['Unknown <none>', of({ 'example.com/role': 'web', 'node-role.example.com/db': '', 'a.kubernetes.io/role': 'x' })],
  ])('%s', (expected, shown) => {
    expect(shown.join(' ')).toBe(expected);
  });
});

describe('autoscalers', () => {
  const target = (more: object) => ({ type: 'Value', ...more });
  const of = (metrics: object[], currentMetrics: object[] = []) =>
    cells(horizontalPodAutoscaler, {
      spec: { scaleTargetRef: { kind: 'ReplicationController', name: 'x' }, maxReplicas: 10, metrics },
      status: { currentReplicas: 4, desiredReplicas: 5, currentMetrics },
    })[1];
  const metric = { name: 'm' };
  const external = { type: 'External', external: { metric, target: target({ value: '20' }) } };
  const averaged = { type: 'External', external: { metric, target: target({ averageValue: '20' }) } };
  const pods = { type: 'Pods', pods: { metric, target: target({ averageValue: '100' }) } };
  const cpu = (more: object) => ({ type: 'Resource', resource: { name: 'cpu', target: target(more) } });
  const inOne = {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'x', target: target({ averageUtilization: 80 }) },
  };
  const current = (kind: string, amounts: object) => ({ type: '', [kind]: { metric, name: 'cpu', current: amounts } });
  it.each([
    ['<unknown>/20', of([external])],
    ['10/20', of([external], [current('external', { value: '10' })])],
    ['<nil>/20', of([external], [current('external', { averageValue: '10' })])],
    ['<unknown>/20 (avg)', of([averaged], [current('external', { value: '10' })])],
    ['50/20 (avg)', of([averaged], [current('external', { averageValue: '50' })])],
    ['<unknown>/100', of([pods], [current('external', { value: '10' })])],
    ['50/100', of([pods], [current('pods', { averageValue: '50' })])],
    ['cpu: <unknown>/100', of([cpu({ averageValue: '100' })])],
    ['cpu: 50/100', of([cpu({ averageValue: '100' })], [current('resource', { averageValue: '50' })])],
    ['cpu: <nil>/100', of([cpu({ averageValue: '100' })], [current('resource', { averageUtilization: 5 })])],
    ['cpu: <unknown>/80%', of([cpu({ averageUtilization: 80 })], [current('resource', { averageValue: '5' })])],
    ['cpu: 50%/80%', of([inOne], [current('containerResource', { averageUtilization: 50 })])],
    [
      '50/100, 10/20 + 2 more...',
      of(
        [pods, external, pods, cpu({})],
        [current('pods', { averageValue: '50' }), current('external', { value: '10' })],
      ),
    ],
    ['<unknown type>', of([{ type: 'Other' }])],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });
});

describe('others', () => {
  const claim = (status: object, meta: object = metadata) =>
    cells(resourceClaim, { metadata: meta, spec: { devices: {} }, status })[0];
  const allocated = { allocation: { devices: {} } };
  const reserved = { ...allocated, reservedFor: [{ resource: 'pods', name: 'a', uid: '1' }] };
  const binding = (paramRef?: object) =>
    cells(validatingAdmissionPolicyBinding, { spec: { policyName: 'p', paramRef } })[1];
  const requirement = { key: 'k', operator: 'In', values: ['x', 'y'] };
  const versions = (count: number) =>
    cells(storageVersion, {
      status: {
        storageVersions: Array.from({ length: count }, (_, i) => ({ apiServerID: `s${i}`, encodingVersion: 'v1' })),
      },
    })[1];
  const slice = (more: object) =>
    cells(endpointSlice, { addressType: 'IPv4', ...more })
      .slice(1, 3)
      .join(' ');
  const addresses = (...lists: string[][]) => ({ endpoints: lists.map((list) => ({ addresses: list })) });
  const className = (kind: typeof storageClass | typeof volumeAttributesClass, annotation: string, value = 'true') =>
    row(
      kind as ResourceDefinition<ApiObject>,
      readBody(kind as ResourceDefinition<ApiObject>, {
        metadata: { ...metadata, annotations: { [annotation]: value } },
      }),
      NOW,
    )[0];
  const quota = (hard: object, used: object) =>
    cells(resourceQuota, { spec: {}, status: { hard, used } }).slice(1).join(' | ');
  const shownClass = (annotation: string) =>
    cells(persistentVolumeClaim, {
      metadata: { ...metadata, annotations: { [annotation]: 'old' } },
      spec: { storageClassName: 'new' },
    })[4];
  it.each([
    ['pending', claim({})],
    ['allocated', claim(allocated)],
    ['allocated,reserved', claim(reserved)],
    ['deleted', claim({}, GOING)],
    ['deleted,allocated,reserved', claim(reserved, GOING)],
    ['<unset>', binding()],
    ['*/x', binding({ name: 'x' })],
    ['n/x', binding({ name: 'x', namespace: 'n' })],
    [
      '&LabelSelector{MatchLabels:map[string]string{a: b,c: d,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
      binding({ selector: { matchLabels: { c: 'd', a: 'b' }, matchExpressions: [requirement] } }),
    ],
    [
      '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}',
      binding({ selector: {} }),
    ],
    ['<unset>', versions(0)],
    ['s0=v1,s1=v1,s2=v1', versions(3)],
    ['s0=v1,s1=v1,s2=v1 + 2 more...', versions(5)],
    ['<unset> <unset>', slice({})],
    [',http,80 + 1 more... <unset>', slice({ ports: [{}, { name: 'http' }, { name: 'b', port: 80 }, { port: 81 }] })],
    [
      '<unset> 10.1.2.3,10.1.2.4,10.1.2.5 + 1 more...',
      slice(addresses(['10.1.2.3', '10.1.2.4'], ['10.1.2.5', '10.1.2.6'])),
    ],
    ['a (default)', className(storageClass, 'storageclass.kubernetes.io/is-default-class')],
    ['a (default)', className(storageClass, 'storageclass.beta.kubernetes.io/is-default-class')],
    ['a', className(storageClass, 'storageclass.kubernetes.io/is-default-class', 'yes')],
    ['a', className(storageClass, 'volumeattributesclass.alpha.kubernetes.io/is-default-class')],
    ['a (default)', className(volumeAttributesClass, 'volumeattributesclass.alpha.kubernetes.io/is-default-class')],
    [
      'cpu: 3/6, requests.cpu: 0/2 | limits.cpu: 2/5',
      quota({ 'requests.cpu': '2', cpu: '6', 'limits.cpu': '5' }, { cpu: '3', 'limits.cpu': '2' }),
    ],
    ['constructor: 0/1 | ', quota({ constructor: '1' }, {})],
    ['old', shownClass('volume.beta.kubernetes.io/storage-class')],
    ['new', shownClass('volume.beta.example.com/storage-class')],
    [
      'N/A 22%',
      cells(podDisruptionBudget, { spec: { maxUnavailable: '22%' } })
        .slice(0, 2)
        .join(' '),
    ],
    [
      '0 N/A',
      cells(podDisruptionBudget, { spec: { minAvailable: 0 } })
        .slice(0, 2)
        .join(' '),
    ],
    ['true,false,false,<unset>,false,Persistent', cells(csiDriver, { spec: {} }).slice(0, 6).join(',')],
    ['x,y', cells(csiDriver, { spec: { tokenRequests: [{ audience: 'x' }, { audience: 'y' }] } })[3]],
    ['10m', cells(deviceClass, { spec: {} })[0]],
    [
      'n d p',
      cells(resourceSlice, { spec: { nodeName: 'n', driver: 'd', pool: { name: 'p' } } })
        .slice(0, 3)
        .join(' '),
    ],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });

  it('sorts flow schemas by precedence', async () => {
    await using server = await openServer({ dialect: 'k8s' });
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
    const spec = (matchingPrecedence: number) => ({ matchingPrecedence, priorityLevelConfiguration: { name: 'x' } });
    for (const [name, precedence] of [['b', 7] as const, ['a', 7] as const, ['zz', 5] as const])
      await server.client().create(flowSchema, { metadata: { name }, spec: spec(precedence) });
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const { value } = await ask(server, { path, headers: { accept } });
    const names = value.rows.map((each: { cells: string[] }) => each.cells[0]);
    expect(names.filter((name: string) => ['a', 'b', 'zz'].includes(name))).toEqual(['zz', 'a', 'b']);
    const list = await ask(server, { path });
    const listed = list.value.items.map((each: ApiObject) => each.metadata.name);
    expect(listed.filter((name: string) => ['a', 'b', 'zz'].includes(name))).toEqual(['a', 'b', 'zz']);
  });
});

it('addresses print their parents by resource and name', () => {
  const parentRef = { group: 'G.example.com', resource: 'Things', namespace: 'ns', name: 'My-Name' };
  expect(cells(ipAddress, { spec: { parentRef } })).toEqual(['things.g.example.com/ns/My-Name', '10m']);
  expect(cells(ipAddress, { spec: { parentRef: { resource: 'services', name: 'b' } } })[0]).toBe('services/b');
  expect(cells(ipAddress, { spec: {} })[0]).toBe('<none>');
});

describe('a Table', () => {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const tableOf = async (server: Awaited<ReturnType<typeof openServer>>, path: string) =>
    (await ask(server, { path, query: 'includeObject=None', headers: { accept } })).value;

  it('of addresses has rows with an age, but no such column', async () => {
    await using server = await openServer({ runtimeConfig: { 'networking.k8s.io/v1beta1': 'true' } });
    const parentRef = { resource: 'services', namespace: 'default', name: 's' };
    await server.client().create(ipAddress, { metadata: { name: '10.0.0.9' }, spec: { parentRef } });
    const { columnDefinitions, rows } = await tableOf(server, '/apis/networking.k8s.io/v1beta1/ipaddresses');
    expect(columnDefinitions.map((column: { name: string }) => column.name)).toEqual(['Name', 'ParentRef']);
    expect(rows[0].cells).toEqual(['10.0.0.9', 'services/default/s', expect.stringMatching(/^\d+s$/)]);
  });

  it('marks pods that have finished', async () => {
    await using server = await openServer({ admission: [] });
    const client = server.client();
    const at = { namespace: 'default' };
    for (const state of ['Succeeded', 'Failed', 'Running'] as const) {
      const made = await client.create(
        pod,
        { metadata: { name: state.toLowerCase() }, spec: { containers: [c('m')] } },
        at,
      );
      await client.replace(pod, { ...made, status: { phase: state } }, { subresource: 'status' });
    }
    const { rows } = await tableOf(server, '/api/v1/namespaces/default/pods');
    const over = (reason: string, message: string) => [{ type: 'Completed', status: 'True', reason, message }];
    expect(rows.map((each: { conditions?: unknown }) => each.conditions)).toEqual([
      over('Failed', 'The pod failed.'),
      undefined,
      over('Succeeded', 'The pod has completed successfully.'),
    ]);
  });
});
