import {
  embedded,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { text } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';

/** The name of a struct of this group's version v1. */
export const registrationName = (name: string): string => `io.k8s.api.admissionregistration.v1.${name}`;

export const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
export const SCOPES = ['*', 'Cluster', 'Namespaced'];
export const FAILURE_POLICIES = ['Fail', 'Ignore'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];

export const failurePolicy = string<string>({ enum: FAILURE_POLICIES, typeName: 'v1.FailurePolicyType' });
export const matchPolicy = string<string>({ enum: MATCH_POLICIES, typeName: 'v1.MatchPolicyType' });

export const operations = listAtomic(string<string>({ enum: OPERATIONS, typeName: 'v1.OperationType' }));
export const names = listAtomic(text);

const ruleFields = () => ({
  apiGroups: omitEmpty(names, 1, "Groups: '*' is all, '' the core group."),
  apiVersions: omitEmpty(names, 2, "Versions: '*' is all."),
  resources: omitEmpty(names, 3, "Resources and subresources: 'pods', 'pods/log', 'pods/*', '*/scale', '*', '*/*'."),
  scope: omitNull(string<string>({ typeName: 'v1.ScopeType' }), 4, 'Cluster, Namespaced or * for both.'),
});

const operationFields = () => ({
  operations: omitEmpty(operations, 1, 'What is done to the object: CREATE, UPDATE, DELETE, CONNECT or * for all.'),
  ...embedded(2, ruleFields()),
});

/** Which requests a webhook is asked about. */
export const ruleWithOperations = struct(
  registrationName('RuleWithOperations'),
  'Operations and the resources they are done to.',
  operationFields,
);
export type RuleWithOperations = OutputOf<typeof ruleWithOperations>;

const namedRuleWithOperations = struct(
  registrationName('NamedRuleWithOperations'),
  'Operations and the resources they are done to, by name.',
  () => ({
    resourceNames: omitEmpty(names, 1, 'Names of objects; none are all.'),
    ...embedded(2, operationFields()),
  }),
  { mapType: 'atomic' },
);
export type NamedRuleWithOperations = OutputOf<typeof namedRuleWithOperations>;

/** Which requests a policy or a binding is about. */
export const matchResources = struct(
  registrationName('MatchResources'),
  'Which requests are looked at: all conditions must hold.',
  () => ({
    namespaceSelector: omitNull(labelSelector, 1, "Picks by the labels of the object's namespace."),
    objectSelector: omitNull(labelSelector, 2, 'Picks by the labels of the object, new or old.'),
    resourceRules: omitEmpty(listAtomic(namedRuleWithOperations), 3, 'The requests: one of these must match.'),
    excludeResourceRules: omitEmpty(listAtomic(namedRuleWithOperations), 4, 'Requests that are left out all the same.'),
    matchPolicy: omitNull(matchPolicy, 7, 'Exact, or Equivalent: other versions of the resource match, too.'),
  }),
  { mapType: 'atomic' },
);
export type MatchResources = OutputOf<typeof matchResources>;

const matchCondition = struct(registrationName('MatchCondition'), 'An expression that must hold.', () => ({
  name: required(text, 1, 'The name of the condition.'),
  expression: required(text, 2, 'The expression, a bool.'),
}));
export type MatchCondition = OutputOf<typeof matchCondition>;

export const matchConditions = listMap(matchCondition, ['name']);
/** How lists of things with a name merge. */
export const byName = { patchStrategy: ['merge'], patchMergeKey: 'name' } as const;
