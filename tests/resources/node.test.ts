import { describe, expect, it } from 'vitest';
import { node } from '../../src/resources/core/index.js';
import { created, createErrors, readBody, row, updated, updateErrors } from './steps.js';

const body = (spec: object = {}, more: object = {}) => ({ metadata: { name: 'n' }, spec, ...more });
const taint = (key: string, effect: string, value = '') => ({ key, effect, value });

describe('a node', () => {
  it('has no configuration source, which is no longer supported', () => {
    const config = { error: 'x' };
    const told = { status: { config } };
    const of = (old: object) => updated(node, body({}, told), readBody(node, body({}, old)), 'status').status.config;
    expect([of({}), of(told)]).toEqual([undefined, config]);
    expect(created(node, body({}, told)).status.config).toBeUndefined();
  });

  it('keeps the status it is created with; allocatable defaults to capacity', () => {
    const made = created(node, body({}, { status: { capacity: { cpu: '4' } } }));
    expect(made.status).toMatchObject({ capacity: { cpu: '4' }, allocatable: { cpu: '4' } });
  });

  it.each<[string, object, string[]]>([
    ['valid taints', { taints: [taint('a', 'NoSchedule'), taint('a', 'NoExecute', 'x')] }, []],
    [
      'an invalid key',
      { taints: [taint('a b', 'NoSchedule')] },
      [expect.stringMatching(/^metadata.taints\[0\].key: Invalid value: "a b"/)],
    ],
    ['a taint without an effect', { taints: [taint('a', '')] }, ['metadata.taints[0].effect: Required value']],
    [
      'an unknown effect',
      { taints: [taint('a', 'Never')] },
      [
        'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'one taint twice',
      { taints: [taint('a', 'NoSchedule'), taint('a', 'NoSchedule')] },
      [
        'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
      ],
    ],
  ])('is validated with %s', async (_, spec, errors) => {
    expect(await createErrors(node, body(spec))).toEqual(errors);
  });

  it('can name controllers whose pods it prefers not to run', async () => {
    const name = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
    const errors = (text: string) => createErrors(node, { metadata: { name: 'n', annotations: { [name]: text } } });
    const of = (podSignature: object) => JSON.stringify({ preferAvoidPods: [{ podSignature }] });
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    expect(await errors('')).toEqual([]);
    expect(await errors(of({ podController: { ...owner, controller: true } }))).toEqual([]);
    const path = `metadata.annotations.${name}[0].PodSignature`;
    expect(await errors(of({}))).toEqual([`${path}: Required value`]);
    expect(await errors(of({ podController: { ...owner, controller: false } }))).toEqual([
      `${path}.PodController.Controller: Invalid value: false: must point to a controller`,
    ]);
    expect(await errors('{')).toEqual([expect.stringContaining('metadata.annotations.AvoidPods: Invalid value')]);
  });

  it('can change only a few fields', async () => {
    const old = created(node, body({ providerID: 'p' }));
    expect(
      await updateErrors(
        node,
        body({ providerID: 'p', unschedulable: true, taints: [taint('a', 'NoSchedule')], podCIDRs: ['10.0.0.0/24'] }),
        old,
      ),
    ).toEqual([]);
    expect(await updateErrors(node, body({ providerID: 'q' }), old)).toEqual([
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(await updateErrors(node, body({ providerID: 'p', externalID: 'x' }), old)).toEqual([
      'spec.externalID: Forbidden: may not be updated',
    ]);
  });

  it('is validated completely in an update', async () => {
    const old = created(node, body());
    const range = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
    expect(await updateErrors(node, body({ podCIDRs: ['x'] }), old)).toEqual([
      `spec.podCIDRs[0]: Invalid value: "x": ${range}`,
    ]);
    const required = 'metadata.taints[0].effect: Required value';
    expect(await updateErrors(node, body({ taints: [taint('a', '')] }), old)).toEqual([required, required]);
  });

  it('returns its first range of addresses in both fields', () => {
    const both = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
    expect(created(node, body({ podCIDR: '10.0.0.0/24' })).spec).toEqual(both);
    expect(created(node, body({ podCIDRs: ['10.0.0.0/24'] })).spec).toEqual(both);
    expect(created(node, body({ ...both, podCIDR: '10.1.0.0/24' })).spec.podCIDRs).toEqual(['10.1.0.0/24']);
  });

  it('has routes for its spec and its status', () => {
    const old = created(node, body({ unschedulable: true }));
    const next = body({}, { status: { phase: 'x' } });
    expect(updated(node, next, old).status).toEqual(old.status);
    expect(updated(node, next, old, 'status')).toMatchObject({ spec: { unschedulable: true }, status: { phase: 'x' } });
  });

  it('is printed in a table', () => {
    const labels = { 'node-role.orch.io/b': '', 'node-role.orch.io/a': '' };
    const ready = {
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: { kubeletVersion: 'v1' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    };
    const made = created(node, {
      metadata: { name: 'n', labels, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { unschedulable: true },
      status: ready,
    });
    const now = Date.parse('2026-01-01T00:05:00Z');
    expect(row(node, made, now)).toEqual(['n', 'Ready,SchedulingDisabled', 'a,b', '5m', 'v1']);
    expect(row(node, created(node, body()), now, true)).toEqual([
      'n',
      'Unknown',
      '<none>',
      '<unknown>',
      '',
      '<none>',
      '<none>',
      '<unknown>',
      '<unknown>',
      '<unknown>',
    ]);
    expect(row(node, made, now, true).slice(5, 7)).toEqual(['10.0.0.1', '<none>']);
  });
});
