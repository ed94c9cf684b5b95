import { always, listAtomic, type OutputOf, omitEmpty, omitNull, required, string } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { coreStruct, resourceList, text } from '../../fragments/core-struct.js';

export type QuotaScope = (typeof SCOPES)[number];
export const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
] as const;

const scope = string<QuotaScope>({ typeName: 'v1.ResourceQuotaScope', enum: [...SCOPES].sort() });

const scopeRequirement = coreStruct('ScopedResourceSelectorRequirement', 'One requirement on objects.', () => ({
  scopeName: required(scope, 1, 'The scope it is about.'),
  operator: required(
    string<string>({ typeName: 'v1.ScopeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'In', 'NotIn'] }),
    2,
    'In, NotIn, Exists or DoesNotExist.',
  ),
  values: omitEmpty(listAtomic(text), 3, 'Values to compare with.'),
}));

export const scopeSelector = coreStruct(
  'ScopeSelector',
  'Picks objects by scopes.',
  () => ({ matchExpressions: omitEmpty(listAtomic(scopeRequirement), 1, 'Requirements that must all hold.') }),
  { mapType: 'atomic' },
);
export const scopes = listAtomic(scope);

const spec = coreStruct('ResourceQuotaSpec', 'What a namespace may use.', () => ({
  hard: omitEmpty(resourceList, 1, 'The limit of each resource.'),
  scopes: omitEmpty(scopes, 2, 'Counts only objects that all of these scopes have.'),
  scopeSelector: omitNull(scopeSelector, 3, 'Counts only objects that all of these requirements pick.'),
}));

const status = coreStruct('ResourceQuotaStatus', 'What it uses.', () => ({
  hard: omitEmpty(resourceList, 1, 'The limits in force.'),
  used: omitEmpty(resourceList, 2, 'The amount in use of each resource.'),
}));

/** v1 ResourceQuota. */
export const resourceQuotaSchema = topLevel(
  'io.k8s.api.core.v1.ResourceQuota',
  'Limits what the objects of a namespace use.',
  () => ({
    spec: always(spec, 2, 'What the namespace may use.'),
    status: always(status, 3, 'What it uses.'),
  }),
);
export type ResourceQuota = OutputOf<typeof resourceQuotaSchema>;
