import { describe, expect, it } from 'vitest';
import { pod } from '../../src/resources/core/index.js';
import { created, updated, updateErrors } from './steps.js';

const meta = { name: 'p', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z' };
const c = (name: string, more: object = {}) => ({ name, image: 'img:1', ...more });
const body = (spec: object, more: object = {}) => ({ metadata: meta, spec, ...more });

describe('an update of a pod', () => {
  const old = created(
    pod,
    body({
      containers: [c('a', { env: [{ name: 'E', value: '1' }] }), c('b')],
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }],
      activeDeadlineSeconds: 10,
    }),
  );
  const change = (spec: object) => updateErrors(pod, { metadata: meta, spec: { ...old.spec, ...spec } }, old);
  const [a, b] = old.spec.containers;

  it.each<[string, object]>([
    ['an image', { containers: [{ ...a, image: 'img:2' }, b] }],
    [
      'its tolerations',
      {
        tolerations: [
          { key: 'z', operator: 'Exists' },
          { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
        ],
      },
    ],
    ['the deadline to a shorter one', { activeDeadlineSeconds: 5 }],
    ['nothing at all', {}],
  ])('can change %s', async (_, spec) => {
    expect(await change(spec)).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'remove a container',
      { containers: [a] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'add a container',
      { containers: [a, b, c('x')] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'change a variable',
      { containers: [{ ...a, env: [{ name: 'E', value: '2' }] }, b] },
      'spec: Forbidden: pod updates may not change fields other than',
    ],
    ['change the node', { nodeName: 'x' }, 'spec: Forbidden: pod updates may not change fields other than'],
    [
      'remove a toleration',
      { tolerations: [] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    [
      'lengthen the deadline',
      { activeDeadlineSeconds: 11 },
      'spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value',
    ],
    [
      'remove the deadline',
      { activeDeadlineSeconds: undefined },
      'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
    ],
    [
      'add a scheduling gate',
      { schedulingGates: [{ name: 'g' }] },
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'g'",
    ],
  ])('cannot %s', async (_, spec, error) => {
    expect((await change(spec)).map((text) => text.slice(0, error.length))).toEqual([error]);
  });

  it('reports a new duplicate scheduling gate once, at its last position', async () => {
    expect(await change({ schedulingGates: [{ name: 'g' }, { name: 'h' }, { name: 'g' }] })).toEqual([
      'spec.schedulingGates[2]: Duplicate value: "g"',
      "spec.schedulingGates[2].name: Forbidden: only deletion is allowed, but found new scheduling gate 'g'",
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
    ]);
  });

  it('can add ephemeral containers, which lack some fields of other containers', async () => {
    const add = (more: object) =>
      updateErrors(
        pod,
        { metadata: meta, spec: { containers: [], ephemeralContainers: [c('debug', more)] } },
        old,
        'ephemeralcontainers',
      );
    expect(await add({ resources: {}, ports: [], targetContainerName: 'a' })).toEqual([]);
    const forbidden = (field: string) =>
      `spec.ephemeralContainers[0].${field}: Forbidden: cannot be set for an Ephemeral Container`;
    expect(await add({ lifecycle: {} })).toEqual([forbidden('lifecycle')]);
    expect(await add({ ports: [{ containerPort: 1 }], resources: { limits: { cpu: 1 } } })).toEqual([
      forbidden('ports'),
      forbidden('resources'),
    ]);
  });

  it('does not change the status, and the status route does not change the rest', () => {
    const body = { metadata: meta, spec: { containers: [c('z')] }, status: { phase: 'Running' } };
    expect(updated(pod, body, old).status).toEqual(old.status);
    const status = updated(pod, body, old, 'status');
    expect(status.status).toEqual({ phase: 'Running' });
    expect(status.spec).toEqual(old.spec);
    const ephemeral = updated(
      pod,
      { metadata: meta, spec: { containers: [], ephemeralContainers: [c('debug')] } },
      old,
      'ephemeralcontainers',
    );
    expect(ephemeral.spec).toMatchObject({ containers: old.spec.containers, ephemeralContainers: [{ name: 'debug' }] });
  });
});
