import { expect, it } from 'vitest';
import type { AuditRule } from '../../src/audit/audit-policy.js';
import { type AuditedRequest, policyDecisions } from '../../src/audit/policy-rules.js';

const tim = { username: 'tim@k8s.io', groups: ['humans', 'developers'] };
const RBAC = 'rbac.authorization.k8s.io';

const pods: AuditedRequest = {
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  namespace: 'default',
  resource: 'pods',
  subresource: '',
  name: 'busybox',
  path: '/api/v1/namespaces/default/pods/busybox',
};
const none = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
const requests: Readonly<Record<string, AuditedRequest>> = {
  namespaced: pods,
  cluster: {
    ...pods,
    group: RBAC,
    version: 'v1beta1',
    namespace: '',
    resource: 'clusterroles',
    name: 'edit',
    path: `/apis/${RBAC}/v1beta1/clusterroles/edit`,
  },
  nonResource: { ...pods, ...none, resourceRequest: false, path: '/logs/kubelet.log' },
  subresource: { ...pods, subresource: 'log' },
  // The request has no user.
  unauthorized: pods,
};

const getting = (level: AuditRule['level'], ...resources: string[]): AuditRule => ({
  level,
  verbs: ['get'],
  resources: [{ resources }],
});
const ALL_BUT_PANIC = ['RequestReceived', 'ResponseStarted', 'ResponseComplete'] as const;
const rules: Readonly<Record<string, AuditRule>> = {
  default: { level: 'Metadata' },
  create: { level: 'Request', verbs: ['create'] },
  tims: { level: 'Metadata', users: ['tim@k8s.io'] },
  humans: { level: 'Metadata', userGroups: ['humans'] },
  accounts: { level: 'Request', userGroups: ['system:serviceaccounts'] },
  pods: getting('RequestResponse', 'pods'),
  logs: getting('Request', 'pods/log'),
  all: getting('Request', '*'),
  allLogs: getting('Request', '*/log'),
  allOfPods: getting('Request', 'pods/*'),
  roles: {
    level: 'RequestResponse',
    verbs: ['get'],
    resources: [{ group: RBAC, resources: ['clusterroles'] }],
    namespaces: [''],
  },
  logPaths: { level: 'RequestResponse', verbs: ['get'], nonResourceURLs: ['/logs*'] },
  metrics: { level: 'Request', verbs: ['get'], nonResourceURLs: ['/metrics'] },
  edit: { level: 'Request', resources: [{ group: RBAC, resources: ['clusterroles'], resourceNames: ['edit'] }] },
  omitsFirst: { level: 'Request', omitStages: ['RequestReceived'] },
  onlyPanic: { level: 'Request', omitStages: [...ALL_BUT_PANIC] },
};

type Row = readonly [request: string, level: AuditRule['level'], ...rules: readonly string[]];
const LEVELS: readonly Row[] = [
  ...['namespaced', 'cluster', 'nonResource'].flatMap((request): Row[] => [
    [request, 'Metadata', 'default'],
    [request, 'None', 'create'],
    [request, 'Metadata', 'tims'],
    [request, 'Metadata', 'humans'],
    [request, 'None', 'accounts'],
    [request, 'None', 'metrics'],
    [request, 'Metadata', 'metrics', 'accounts', 'default'],
  ]),
  ['namespaced', 'RequestResponse', 'pods'],
  ['namespaced', 'None', 'roles'],
  ['namespaced', 'None', 'logPaths'],
  ['namespaced', 'RequestResponse', 'metrics', 'pods', 'default'],
  ['namespaced', 'RequestResponse', 'logs', 'pods'],
  ['cluster', 'None', 'pods'],
  ['cluster', 'RequestResponse', 'roles'],
  ['cluster', 'Request', 'edit', 'roles'],
  ['cluster', 'None', 'logPaths'],
  ['cluster', 'RequestResponse', 'metrics', 'roles', 'default'],
  ['cluster', 'None', 'logs', 'pods'],
  ['nonResource', 'None', 'pods'],
  ['nonResource', 'None', 'roles'],
  ['nonResource', 'RequestResponse', 'logPaths'],
  ['nonResource', 'RequestResponse', 'logPaths', 'roles', 'default'],
  ['nonResource', 'None', 'logs', 'pods'],
  ['subresource', 'Request', 'logs', 'pods'],
  ['subresource', 'Request', 'all'],
  ['subresource', 'Request', 'allLogs'],
  ['subresource', 'Request', 'allOfPods'],
  ['unauthorized', 'None', 'tims'],
  ['unauthorized', 'Metadata', 'tims', 'default'],
  ['unauthorized', 'None', 'humans'],
  ['unauthorized', 'Metadata', 'humans', 'default'],
];

type Stages = NonNullable<AuditRule['omitStages']>;
function decide(request: string, names: readonly string[], omitStages: Stages = []) {
  const chosen = names.map((name) => rules[name]).filter((rule) => rule !== undefined);
  expect(chosen).toHaveLength(names.length);
  const asked = requests[request] ?? pods;
  return policyDecisions({ rules: chosen, omitStages })(asked, request === 'unauthorized' ? undefined : tim);
}

it.each(LEVELS)('%s is %s by %s %s %s', (request, level, ...names) => {
  const given = names.filter((name) => name !== undefined);
  for (const stages of [[], ['RequestReceived', 'ResponseStarted']] as const) {
    const decision = decide(request, given, stages);
    expect(decision.level).toBe(level);
    if (level !== 'None') expect(decision.omitStages).toEqual(new Set(stages));
  }
});

it.each(['namespaced', 'cluster', 'nonResource'])('%s: stages that the policy or the rule leaves out', (request) => {
  const two: Stages = ['RequestReceived', 'ResponseStarted'];
  const left = (names: readonly string[], stages?: Stages) => decide(request, names, stages).omitStages;
  expect(left(['omitsFirst', 'pods', 'default'])).toEqual(new Set(['RequestReceived']));
  expect(left(['onlyPanic', 'pods', 'default'])).toEqual(new Set(ALL_BUT_PANIC));
  expect(left(['omitsFirst', 'pods', 'default'], two)).toEqual(new Set(two));
  expect(left(['onlyPanic', 'pods', 'default'], two)).toEqual(new Set(ALL_BUT_PANIC));
  expect(left(['default', 'omitsFirst', 'pods'], two)).toEqual(new Set(two));
});

it.each([
  [undefined, undefined, false],
  [true, undefined, true],
  [true, false, false],
  [false, true, true],
])('managed fields: policy %s, rule %s', (policy, rule, omitted) => {
  const own = rule === undefined ? {} : { omitManagedFields: rule };
  const all = policy === undefined ? {} : { omitManagedFields: policy };
  const decision = policyDecisions({ ...all, rules: [{ level: 'RequestResponse', verbs: ['get'], ...own }] })(
    pods,
    tim,
  );
  expect(decision.omitManagedFields).toBe(omitted);
});
