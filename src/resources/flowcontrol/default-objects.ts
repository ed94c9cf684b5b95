import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { FlowSchema, PriorityLevelConfiguration as PriorityLevel } from './flowcontrol-v1.types.js';

type Rule = NonNullable<FlowSchema['spec']['rules']>[number];
type Subject = NonNullable<Rule['subjects']>[number];
type ResourceRule = NonNullable<Rule['resourceRules']>[number];
export type DefaultFlowSchema = { readonly metadata: { readonly name: string } } & Pick<FlowSchema, 'spec'>;
export type DefaultPriorityLevel = { readonly metadata: { readonly name: string } } & Pick<PriorityLevel, 'spec'>;

const level = (name: string, spec: DefaultPriorityLevel['spec']): DefaultPriorityLevel => ({
  metadata: { name },
  spec,
});
const queuedLevel = (
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent: number,
  [queues, handSize]: readonly [number, number],
): DefaultPriorityLevel =>
  level(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
      lendablePercent,
    },
  });

/**
 * The mandatory priority levels. Their specs are immutable, except for `spec.exempt` of the exempt level. The levels ensure that every
 * request has a level, and that requests of system:masters are never refused.
 */
export const mandatoryPriorityLevels: readonly DefaultPriorityLevel[] = /* @__PURE__ */ [
  level('catch-all', {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  }),
  level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
];

/** The suggested priority levels, which the server creates if they do not exist. */
export const suggestedPriorityLevels: readonly DefaultPriorityLevel[] = /* @__PURE__ */ [
  queuedLevel('system', 30, 33, [64, 6]),
  queuedLevel('node-high', 40, 25, [64, 6]),
  queuedLevel('leader-election', 10, 0, [16, 4]),
  queuedLevel('workload-high', 40, 50, [128, 6]),
  queuedLevel('workload-low', 100, 90, [128, 6]),
  queuedLevel('global-default', 20, 50, [128, 6]),
];

const flow = (
  name: string,
  priorityLevel: string,
  matchingPrecedence: number,
  by: 'ByUser' | 'ByNamespace' | undefined,
  rules: Rule[],
): DefaultFlowSchema => ({
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: priorityLevel },
    matchingPrecedence,
    ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
    rules,
  },
});
const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));
const users = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'User', user: { name } }));
const accounts = (...names: string[]): Subject[] =>
  names.map((name) => ({ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name } }));
const everybody = groups('system:unauthenticated', 'system:authenticated');

/** Returns a rule that matches all requests of the subjects. */
const anything = (subjects: Subject[]): Rule => ({
  subjects,
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});
const inNamespaces = (verbs: string[], group: string, ...resources: string[]): ResourceRule => ({
  verbs,
  apiGroups: [group],
  resources,
  namespaces: ['*'],
});

/** The mandatory flow schemas. Their specs are immutable. */
export const mandatoryFlowSchemas: readonly DefaultFlowSchema[] = /* @__PURE__ */ [
  flow('exempt', 'exempt', 1, undefined, [anything(groups('system:masters'))]),
  flow('catch-all', 'catch-all', 10_000, 'ByUser', [anything(everybody)]),
];

/** Returns the suggested flow schemas, which the server creates if they do not exist. */
export function suggestedFlowSchemas(dialect: Dialect): readonly DefaultFlowSchema[] {
  const manager = 'system:kube-controller-manager';
  const scheduler = 'system:kube-scheduler';
  const coordination = groupOf(dialect, 'coordination');
  const electing = ['get', 'create', 'update'];
  return [
    flow('system-nodes', 'system', 500, 'ByUser', [anything(groups('system:nodes'))]),
    flow('system-node-high', 'node-high', 400, 'ByUser', [
      {
        subjects: groups('system:nodes'),
        resourceRules: [
          {
            verbs: ['*'],
            apiGroups: [''],
            resources: ['nodes', 'nodes/status'],
            clusterScope: true,
            namespaces: ['*'],
          },
          inNamespaces(['*'], coordination, 'leases'),
        ],
      },
    ]),
    flow('probes', 'exempt', 2, undefined, [
      {
        subjects: everybody,
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
      },
    ]),
    flow('system-leader-election', 'leader-election', 100, 'ByUser', [
      {
        subjects: [...users(manager, scheduler), ...accounts('*')],
        resourceRules: [inNamespaces(electing, coordination, 'leases')],
      },
    ]),
    flow('workload-leader-election', 'leader-election', 200, 'ByUser', [
      {
        subjects: accounts('*'),
        resourceRules: [
          inNamespaces(electing, '', 'endpoints', 'configmaps'),
          inNamespaces(electing, coordination, 'leases'),
        ],
      },
    ]),
    flow('endpoint-controller', 'workload-high', 150, 'ByUser', [
      {
        subjects: [...users(manager), ...accounts('endpoint-controller', 'endpointslicemirroring-controller')],
        resourceRules: [inNamespaces(electing, '', 'endpoints')],
      },
    ]),
    flow('kube-controller-manager', 'workload-high', 800, 'ByNamespace', [anything(users(manager))]),
    flow('kube-scheduler', 'workload-high', 800, 'ByNamespace', [anything(users(scheduler))]),
    flow('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', [anything(accounts('*'))]),
    flow('service-accounts', 'workload-low', 9000, 'ByUser', [anything(groups('system:serviceaccounts'))]),
    flow('global-default', 'global-default', 9900, 'ByUser', [anything(everybody)]),
  ];
}
