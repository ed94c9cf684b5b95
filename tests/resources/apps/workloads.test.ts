import { describe, expect, it } from 'vitest';
import { daemonSet, deployment, replicaSet, statefulSet } from '../../../src/resources/apps/index.js';
import { replicationController } from '../../../src/resources/core/index.js';
import { created, createErrors, updated, updateErrors } from '../steps.js';

const metadata = { name: 'w', namespace: 'n' };
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'example.com/i:1' }] },
};
const body = (more: object = {}) => ({
  metadata,
  spec: { selector: { matchLabels: { app: 'a' } }, template, ...more },
});
const texts = (errors: readonly string[]) => errors.map((error) => error.replace(/ \(e\.g\..*/, ''));

describe('a Deployment', () => {
  it('rolls out by a quarter by default', () =>
    expect(created(deployment, body()).spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' } },
    }));
  it.each<[string, object, string[]]>([
    [
      'no selector',
      { selector: undefined },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: map[string]string{"app":"a"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'maxSurge and maxUnavailable of 0',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"0%"}: may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      'parameters of rolling updates for Recreate',
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'the restart policy Never',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
  ])('is refused with %s', async (_, more, wanted) =>
    expect(texts(await createErrors(deployment, body(more)))).toEqual(wanted),
  );
  it('cannot change its selector', async () => {
    const other = {
      selector: { matchLabels: { app: 'b' } },
      template: { ...template, metadata: { labels: { app: 'b' } } },
    };
    expect(await updateErrors(deployment, body(other), created(deployment, body()))).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });
  it('increments its generation for changed annotations as for a changed spec', () => {
    const old = created(deployment, { ...body(), metadata: { ...metadata, generation: 3 } });
    const next = updated(
      deployment,
      { ...body(), metadata: { ...metadata, generation: 3, annotations: { a: 'b' } } },
      old,
    );
    expect(next.metadata.generation).toBe(4);
  });
});

it('a StatefulSet can change only a few fields', async () => {
  const old = created(statefulSet, body({ serviceName: 's' }));
  expect(await updateErrors(statefulSet, body({ serviceName: 's', replicas: 3 }), old)).toEqual([]);
  expect(await updateErrors(statefulSet, body({ serviceName: 't' }), old)).toEqual([
    expect.stringContaining('spec: Forbidden: updates to statefulset spec'),
  ]);
});

it('annotations of the template of a StatefulSet are validated as those of a pod', async () => {
  const annotations = {
    'controller.kubernetes.io/pod-deletion-cost': '+1',
    'seccomp.security.alpha.kubernetes.io/pod': 'x',
    'container.apparmor.security.beta.kubernetes.io/z': 'runtime/default',
  };
  const wrong = body({ serviceName: 's', template: { ...template, metadata: { ...template.metadata, annotations } } });
  const why = [
    'spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
    'spec.template.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
    'spec.template.annotations[container.apparmor.security.beta.kubernetes.io/z]: Invalid value: "z": container not found',
  ];
  expect(await createErrors(statefulSet, wrong)).toEqual(why);
  // A deletion cost that was invalid before is kept.
  expect(await updateErrors(statefulSet, wrong, created(statefulSet, wrong))).toEqual(why.slice(1));
});

it('the revision of a rollback is a number, although only an annotation stores it', async () => {
  const ROLLBACK = 'deprecated.deployment.rollback.to';
  const of = (revision: string) => ({ ...body(), metadata: { ...metadata, annotations: { [ROLLBACK]: revision } } });
  expect(created(deployment, of('+007')).metadata.annotations).toEqual({ [ROLLBACK]: '7' });
  expect(created(deployment, of('')).metadata.annotations).toBeUndefined();
  expect(() => created(deployment, of('x'))).toThrow(
    `failed to parse annotation[${ROLLBACK}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`,
  );
  expect(await createErrors(deployment, of('-1'))).toEqual([
    'spec.rollback.version: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

it('deprecated annotations for init containers are dropped from templates', () => {
  const annotations = { 'pod.beta.kubernetes.io/init-containers': 'x', kept: 'y' };
  const made = created(replicaSet, {
    ...body({ template: { ...template, metadata: { ...template.metadata, annotations } } }),
    metadata: { ...metadata, annotations },
  });
  expect([made.metadata.annotations, made.spec.template.metadata.annotations]).toEqual([annotations, { kept: 'y' }]);
});

it('a DaemonSet reports the errors of an update twice', async () => {
  const error = 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0';
  const old = created(daemonSet, body());
  expect(await updateErrors(daemonSet, body({ minReadySeconds: -1 }), old)).toEqual([error, error]);
});

it('a DaemonSet stores the generation of its template in an annotation', () => {
  const GENERATION = 'deprecated.daemonset.template.generation';
  const old = created(daemonSet, body());
  expect(old.metadata.annotations?.[GENERATION]).toBe('1');
  expect(updated(daemonSet, body({ minReadySeconds: 1 }), old).metadata.annotations?.[GENERATION]).toBe('1');
  const other = { ...template, spec: { containers: [{ name: 'c', image: 'example.com/i:2' }] } };
  expect(updated(daemonSet, body({ template: other }), old).metadata.annotations?.[GENERATION]).toBe('2');
  const big = '99999999999999999999';
  expect(() =>
    created(daemonSet, { ...body(), metadata: { ...metadata, annotations: { [GENERATION]: big } } }),
  ).toThrow(`strconv.ParseInt: parsing "${big}": value out of range`);
});

it('a status of a ReplicaSet cannot have more ready pods than pods', async () => {
  const { status } = replicaSet.subresources ?? {};
  const old = created(replicaSet, body());
  const errors = status && 'strategy' in status ? status.strategy?.validateUpdate : undefined;
  const found = errors?.({ ...old, status: { replicas: 1, readyReplicas: 2 } }, old, {} as never) as readonly {
    path: string;
  }[];
  expect(found.map(({ path }) => path)).toEqual(['status.readyReplicas']);
});

it('a ReplicationController defaults its selector and labels from the template', () =>
  expect(created(replicationController, { metadata, spec: { template } })).toMatchObject({
    metadata: { labels: { app: 'a' } },
    spec: { selector: { app: 'a' }, replicas: 1 },
  }));

it('a ReplicationController keeps a selector that its annotations call non-convertible', async () => {
  const annotated = (name: string, spec: object) => ({
    metadata: { ...metadata, annotations: { [`non-convertible.kubernetes.io/${name}`]: 'lost' } },
    spec: { template, ...spec },
  });
  const errors = (name: string, spec: object) =>
    updateErrors(replicationController, annotated(name, spec), created(replicationController, annotated(name, {})));
  const relabelled = { ...template, metadata: { labels: { app: 'a', b: 'c' } } };
  expect(await errors('selector', { replicas: 2 })).toEqual([]);
  expect(await errors('selector', { selector: { b: 'c' }, template: relabelled })).toEqual([
    'spec.selector: Invalid value: map[string]string{"b":"c"}: cannot update non-convertible selector',
  ]);
  expect(await errors('strategy', {})).toEqual(['strategy: Not found: "lost": unknown non-convertible field']);
});
