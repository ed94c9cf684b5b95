import { equalJson } from '../../json/equal.js';
import { formatTime } from '../../meta/clock.js';
import { type Dialect, groupOf, k8s } from '../../meta/dialect.js';
import { originalOf } from '../../registry/edit.js';
import { defineResource, type ResourceDefinition } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { requireStoredPreconditions } from '../../registry/writes/delete.js';
import { SCHEMA_EXTENSION_PREFIXES } from '../../schema/extensions.js';
import { nameColumn } from '../shared/columns.js';
import { keepSpec } from '../shared/workload.js';
import { apiextensionsV1 } from './apiextensions-v1.js';
import type { CustomResourceDefinition } from './apiextensions-v1.types.js';
import { withCondition } from './conditions.js';
import type { ValidationRule } from './json-schema-props.js';
import { definitionInJson } from './stored-form.js';
import { rulesOf, schemasIn } from './validation/schema-parts.js';

/** Returns the finalizer that keeps a definition until its custom resources are deleted. */
export const cleanupFinalizer = ({ groupSuffix }: Dialect): string =>
  `customresourcecleanup.apiextensions.${groupSuffix}`;

type CrdDraft = Draft<CustomResourceDefinition>;

// The validation code is imported for the first definition, because most servers never have one.
const validation = () => import('./validation/crd-validation.js');

/**
 * Defines the kind CustomResourceDefinition for a prefix of schema extensions.
 * @param prefix the prefix with which extensions are stored
 * @param prefixes the prefixes that are accepted. Default: only `prefix`
 */
/* @__NO_SIDE_EFFECTS__ */
function define(prefix: string, prefixes: readonly string[] = [prefix]): ResourceDefinition<CustomResourceDefinition> {
  return defineResource({
    groupStem: 'apiextensions',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    scope: 'Cluster',
    // As in upstream, definitions are stored in v1beta1.
    storedVersion: 'v1beta1',
    inJson: definitionInJson,
    allowUnconditionalUpdate: false,
    genericMetadata: true,
    ...(prefixes.length === 1 ? { inDialect } : {}),
    schema: apiextensionsV1(prefix, prefixes).struct('CustomResourceDefinition'),
    setDefaults,
    resetFields: ['status'],
    gatedFields: [{ gate: 'CustomResourceFieldSelectors', fields: ['spec.versions.selectableFields'] }],
    strategy: {
      prepareForCreate(draft, { host: { gates } }) {
        if (!gates.CRDValidationRatcheting) dropOptionalOldSelf(draft);
        draft.metadata.generation = 1;
        draft.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
        noteStorageVersion(draft);
      },
      prepareForUpdate(draft, old, { host: { gates } }) {
        if (!gates.CRDValidationRatcheting && !usesOptionalOldSelf(old)) dropOptionalOldSelf(draft);
        // The old status is frozen. The cast is safe because later changes replace the whole status.
        draft.status = old.status as CrdDraft['status'];
        if (!equalJson(draft.spec, old.spec)) draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
        noteStorageVersion(draft);
      },
      validate: async (object, context) => (await validation()).validateCrd(object, undefined, context),
      validateUpdate: async (next, old, context) => (await validation()).validateCrd(next, old, context),
      validateDelete: (object, { host }, options) =>
        requireStoredPreconditions(
          { group: groupOf(host.dialect, 'apiextensions'), resource: 'customresourcedefinitions' },
          object,
          options,
        ),
      beginDeletion(draft, old, { host }) {
        const { deletionTimestamp, finalizers = [] } = old.metadata;
        if (deletionTimestamp !== undefined) {
          draft.metadata.deletionGracePeriodSeconds = 0;
          return 'remove';
        }
        // The first deletion only marks the definition as terminating, and ignores the propagation policy of the delete options. The policy
        // applies when the definition is deleted again.
        const cleanup = cleanupFinalizer(host.dialect);
        draft.metadata.finalizers = finalizers.includes(cleanup) ? [...finalizers] : [...finalizers, cleanup];
        const pending = {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionPending',
          message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
        };
        const conditions = withCondition(old.status.conditions ?? [], pending, formatTime(host.clock.now()));
        draft.status.conditions = conditions as CrdDraft['status']['conditions'];
        return 'keep';
      },
    },
    subresources: {
      status: {
        table: false,
        resetFields: ['metadata', 'spec'],
        strategy: {
          // A status update can also change the metadata. Because `resetFields` contains `metadata`, the writer does not become the owner
          // of the changed metadata fields.
          prepareForUpdate: keepSpec,
          validateUpdate: async (next) => (await validation()).validateStatus(next),
        },
      },
    },
    columns: [
      nameColumn,
      {
        name: 'Created At',
        type: 'date',
        description: 'When the definition was created.',
        cell: ({ metadata }) => metadata.creationTimestamp ?? null,
      },
    ],
  });
}

const byPrefix = /* @__PURE__ */ new Map<string, ResourceDefinition<CustomResourceDefinition>>();

/**
 * Returns the kind for an API dialect. The k8s dialect reads and writes schema extensions with the prefix `x-kubernetes-` only. The orch
 * dialect writes its own prefix and reads all of {@link SCHEMA_EXTENSION_PREFIXES}.
 */
function inDialect({ schemaExtensionPrefix: prefix }: Dialect): ResourceDefinition<CustomResourceDefinition> {
  if (prefix === k8s.schemaExtensionPrefix) return customResourceDefinition;
  let definition = byPrefix.get(prefix);
  if (!definition) byPrefix.set(prefix, (definition = define(prefix, SCHEMA_EXTENSION_PREFIXES)));
  return definition;
}

/** apiextensions/v1 CustomResourceDefinition: a kind that is served as long as the object exists. */
export const customResourceDefinition = define(k8s.schemaExtensionPrefix);

function setDefaults(draft: CrdDraft): void {
  const { names, conversion } = draft.spec;
  if ((names.singular ?? '') === '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
  if (conversion === undefined) draft.spec.conversion = { strategy: 'None' };
  const service = conversion?.webhook?.clientConfig?.service;
  if (service && service.port === undefined) service.port = 443;
  if (names.singular === '') delete names.singular;
  // An empty list of stored versions is filled with the storage version.
  if ((draft.status.storedVersions ?? []).length === 0) noteStorageVersion(draft);
}

/** Whether any rule has `optionalOldSelf`, with which a rule also applies to values that have no previous value. */
const usesOptionalOldSelf = ({ spec }: CustomResourceDefinition): boolean =>
  (spec.versions ?? []).some(({ schema }) =>
    [...schemasIn(schema?.openAPIV3Schema ?? {})]
      .flatMap(rulesOf)
      .some(({ optionalOldSelf }) => optionalOldSelf !== undefined),
  );

/** Removes `optionalOldSelf` from all rules, because the feature gate CRDValidationRatcheting is off. */
function dropOptionalOldSelf(draft: CrdDraft): void {
  if (!usesOptionalOldSelf(originalOf(draft as CustomResourceDefinition))) return;
  for (const { schema } of draft.spec.versions ?? []) {
    if (!schema?.openAPIV3Schema) continue;
    const own = structuredClone(originalOf(schema.openAPIV3Schema));
    for (const each of schemasIn(own))
      for (const rule of rulesOf(each) as Draft<ValidationRule>[]) delete rule.optionalOldSelf;
    schema.openAPIV3Schema = own;
  }
}

/** Adds the storage version to `status.storedVersions`, which lists every version in which objects may be stored. */
function noteStorageVersion(draft: CrdDraft): void {
  const { spec, status } = draft;
  const { name } = spec.versions?.find(({ storage }) => storage) ?? {};
  if (name === undefined || status.storedVersions?.includes(name)) return;
  draft.status = { ...status, storedVersions: [...(status.storedVersions ?? []), name] };
}
