import { describe, expect, it } from 'vitest';
import {
  clusterRole,
  cronJob,
  csiStorageCapacity,
  daemonSet,
  deployment,
  job,
  persistentVolumeClaim,
  pod,
  podTemplate,
  replicaSet,
  replicationController,
} from '../../src/exports/kinds.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { validateVolumes } from '../../src/resources/core/pod/validation/pod-volume-validation.js';
import { context, createErrors, readBody, updateErrors } from './steps.js';

/* Invalid values that older servers accepted, and that existing objects may keep, from upstream's validation options. */
const labels = { app: 'a' };
const BAD = 'is/no label value';
const expressions = (value: string) => ({ matchExpressions: [{ key: 'app', operator: 'In', values: [value] }] });
const term = (selector: string, value: string) => ({ topologyKey: 'zone', [selector]: expressions(value) });
const token = (path: string) => [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path } }] } }];
const pages = (amount: string) => ({ cpu: '1', 'hugepages-2Mi': amount });
const container = (more: object = {}) => ({ name: 'c', image: 'i', ...more });
const spread = (value: string) => [
  { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: expressions(value) },
];
const sized = (amount: string) => [container({ resources: { limits: pages(amount), requests: pages(amount) } })];
const onNode = (host: object, name: string) => ({ ...host, securityContext: { sysctls: [{ name, value: '1' }] } });

/** The accepted value, another invalid value of the same sort, and the errors of a new object with it. */
const SPECS: readonly (readonly [string, object, object, string])[] = [
  ...['podAffinity', 'podAntiAffinity'].flatMap((kind) =>
    ['labelSelector', 'namespaceSelector'].flatMap((selector) => {
      const must = (value: string) => ({
        affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term(selector, value)] } },
      });
      const wish = (value: string) => {
        const wishes = [{ weight: 1, podAffinityTerm: term(selector, value) }];
        return { affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: wishes } } };
      };
      return [
        [`${kind} ${selector}`, must(BAD), must('-'), `${selector}.matchExpressions[0].values[0]: Invalid value`],
        [`${kind} preferred ${selector}`, wish(BAD), must('-'), `${selector}.matchExpressions[0].values[0]: Inv`],
      ] as const;
    }),
  ),
  [
    'topology spread constraints',
    { topologySpreadConstraints: spread(BAD) },
    { topologySpreadConstraints: spread('-') },
    'spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].values[0]: Invalid value',
  ],
  [
    'limits that are not whole huge pages',
    { containers: sized('3Mi') },
    { containers: sized('1Mi') },
    'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
  ],
  [
    'overhead that is not whole huge pages',
    { overhead: pages('3Mi') },
    { overhead: pages('1Mi') },
    'spec.overhead.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
  ],
  [
    'the path of a projected token',
    { serviceAccountName: 'a', volumes: token('../t') },
    { serviceAccountName: 'a', volumes: token('/t') },
    `spec.volumes[0].projected.path: Invalid value: "../t": must not contain '..'`,
  ],
  [
    'sysctls of the network',
    onNode({ hostNetwork: true }, 'net.core.somaxconn'),
    onNode({ hostIPC: true }, 'kernel.sem'),
    "may not be specified when 'hostNetwork' is true",
  ],
  [
    'sysctls of IPC',
    onNode({ hostIPC: true }, 'fs/mqueue/msg_max'),
    onNode({ hostNetwork: true }, 'net/core/x'),
    "may not be specified when 'hostIPC' is true",
  ],
];

const template = (spec: object) => ({ metadata: { labels }, spec: { containers: [container()], ...spec } });
const selected = (spec: object) => ({ selector: { matchLabels: labels }, template: template(spec) });
const ofJob = (spec: object) => ({ template: template({ restartPolicy: 'Never', ...spec }) });
type Kind = readonly [definition: ResourceDefinition, object: (spec: object) => object];
const KINDS: readonly Kind[] = (
  [
    [pod, (spec) => ({ spec: template(spec).spec })],
    [podTemplate, (spec) => ({ template: template(spec) })],
    [replicationController, (spec) => ({ spec: { selector: labels, template: template(spec) } })],
    [replicaSet, (spec) => ({ spec: selected(spec) })],
    [deployment, (spec) => ({ spec: selected(spec) })],
    [daemonSet, (spec) => ({ spec: selected(spec) })],
    [job, (spec) => ({ spec: { ...ofJob(spec), manualSelector: true, selector: { matchLabels: labels } } })],
    [cronJob, (spec) => ({ spec: { schedule: '* * * * *', jobTemplate: { spec: ofJob(spec) } } })],
  ] as readonly Kind[]
).map(([definition, object]) => [definition, (spec) => ({ metadata: { name: 'x' }, ...object(spec) })]);

const changed = (body: object) => ({ ...body, metadata: { name: 'x', annotations: { changed: 'yes' } } });

describe.each(KINDS.map(([definition, object]) => ({ kind: definition.kind, definition, object })))(
  'a $kind keeps an invalid value that is unchanged',
  ({ definition, object }) => {
    it.each(SPECS)('%s', async (_what, wrong, other, text) => {
      const refused = expect.arrayContaining([expect.stringContaining(text)]);
      const [good, bad] = [readBody(definition, object({})), readBody(definition, object(wrong))];
      expect(await createErrors(definition, object(wrong))).toEqual(refused);
      expect(await updateErrors(definition, object(wrong), good)).toEqual(refused);
      expect(await updateErrors(definition, changed(object(wrong)), bad)).toEqual([]);
      // The invalid values are not compared with each other. Pods and jobs are immutable in any case.
      if (definition === pod || definition === job) return;
      expect(await updateErrors(definition, object(other), bad)).toEqual([]);
    });
  },
);

it('the attributes class of a claim in a pod is validated if the gate is on', () => {
  const sizes = { requests: { storage: '1' } };
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: sizes, volumeAttributesClassName: '!' } };
  const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: claim } }];
  const read = readBody(pod, { metadata: { name: 'x' }, spec: { ...template({}).spec, volumes } });
  const found = (on: boolean) => {
    const rules = { ...context.host, gates: { ...context.host.gates, VolumeAttributesClass: on } };
    const { errors } = validateVolumes(read.spec.volumes ?? [], rules, undefined);
    return errors.map(({ path }) => path);
  };
  expect(found(false)).toEqual([]);
  expect(found(true)).toEqual(['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName']);
});

it('a pod keeps an invalid deletion cost that is unchanged', async () => {
  const body = (cost: string) => ({
    metadata: { name: 'x', annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } },
    spec: template({}).spec,
  });
  const refused = [expect.stringContaining('must be a 32bit integer'), expect.stringContaining('32bit')];
  expect(await createErrors(pod, body('+1'))).toEqual([refused[0]]);
  expect(await updateErrors(pod, body('+1'), readBody(pod, body('1')))).toEqual(refused);
  expect(await updateErrors(pod, body('01'), readBody(pod, body('+1')))).toEqual([]);
});

describe('values that are not valid labels are kept if unchanged', () => {
  const sizes = { requests: { storage: '1Gi' } };
  const claim = (spec: object) => ({ spec: { accessModes: ['ReadWriteOnce'], resources: sizes, ...spec } });
  const oneJob = (value: string) => ({
    spec: { ...ofJob({}), manualSelector: true, selector: expressions(value) },
  });
  const source = (apiGroup?: string) => ({
    apiGroup,
    kind: apiGroup === undefined ? 'PersistentVolumeClaim' : 'K',
    name: 'n',
  });
  const from = (apiGroup?: string) => claim({ dataSource: source(apiGroup), dataSourceRef: source(apiGroup) });
  it.each<readonly [string, ResourceDefinition, object, object, string]>([
    ['in the selector of a job', job, oneJob('a'), oneJob(BAD), 'spec.selector.matchExpressions[0].values[0]: Inv'],
    [
      'in the selector of a claim',
      persistentVolumeClaim,
      claim({}),
      claim({ selector: expressions(BAD) }),
      'spec.selector.m',
    ],
    [
      'in the API group of a data source',
      persistentVolumeClaim,
      from(),
      from('A/B'),
      'spec.dataSource.apiGroup: Invalid value: "A/B"',
    ],
    [
      'in the topology of a capacity',
      csiStorageCapacity,
      { storageClassName: 'c', nodeTopology: expressions('a') },
      { storageClassName: 'c', nodeTopology: expressions(BAD) },
      'nodeTopology.matchExpressions[0].values[0]: Invalid value',
    ],
  ])('%s', async (_what, definition, good, wrong, text) => {
    const named = (body: object) => ({ metadata: { name: 'x' }, ...body });
    const stored = (body: object) => readBody<ApiObject>(definition, named(body));
    const refused = expect.arrayContaining([expect.stringContaining(text)]);
    expect(await createErrors(definition, named(wrong))).toEqual(refused);
    expect(await updateErrors(definition, named(wrong), stored(good))).toEqual(refused);
    expect(await updateErrors(definition, changed(wrong), stored(wrong))).toEqual([]);
  });

  it('in the selectors of a role, which select nothing', async () => {
    const role = (value: string) => ({
      metadata: { name: 'x' },
      aggregationRule: { clusterRoleSelectors: [expressions(value)] },
    });
    const path = 'aggregationRule.clusterRoleSelectors[0]';
    const useless = `${path}: Invalid value: "null": invalid label selector.`;
    const wrong = expect.stringContaining(`${path}.matchExpressions[0].values[0]: Invalid value`);
    expect(await createErrors(clusterRole, role(BAD))).toEqual([wrong, useless]);
    expect(await updateErrors(clusterRole, role(BAD), readBody(clusterRole, role('a')))).toEqual([
      ...[wrong, useless],
      ...[wrong, useless],
    ]);
    expect(await updateErrors(clusterRole, role('-'), readBody(clusterRole, role(BAD)))).toEqual([useless, useless]);
  });
});
