import type { AdmissionAttributes, AdmissionPlugin, Operation } from '../admission/admission-plugin.js';
import { runAdmit, runValidate } from '../admission/chain.js';
import { apiError } from '../meta/api-error.js';
import type { FieldError } from '../meta/field-error.js';
import { nameIsDns1123Subdomain } from '../meta/names.js';
import type { ApiObject, OwnerReference } from '../meta/object-meta.js';
import { coreFinalizers, type ObjectMetaRules } from '../meta/object-meta-validation.js';
import { trackOwnership } from '../fields/field-manager.js';
import { validateStructural } from '../schema/structural.js';
import { withMetadata } from './edit.js';
import type { RequestContext } from './request-context.js';
import type { ServedResource } from './served-resource.js';
import type { Strategy } from './strategy.js';

/** Where a write is aimed. */
export interface WriteTarget {
  readonly resource: ServedResource;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Records which fields the caller owns after this write (document 2, section 2.4). */
export function tracked(target: WriteTarget, context: RequestContext, next: ApiObject, live: ApiObject | undefined): ApiObject {
  const { definition, apiVersion, dialect } = target.resource;
  const route = target.subresource === '' ? definition : definition.subresources?.[target.subresource];
  const resetFields = route && 'resetFields' in route ? route.resetFields : undefined;
  return trackOwnership({
    schema: definition.schema,
    live,
    next,
    manager: context.fieldManager,
    apiVersion,
    subresource: target.subresource,
    now: context.clock.now(),
    ...(resetFields ? { resetFields } : {}),
    rulings: dialect.rulings,
  });
}

/** Runs the mutating half of admission; owners that stand twice after it (or in what a patch made) are dropped. */
export async function admitted(
  plugins: readonly AdmissionPlugin[],
  target: WriteTarget,
  context: RequestContext,
  operation: Operation,
  object: ApiObject,
  oldObject: ApiObject | undefined,
): Promise<ApiObject> {
  const changed = plugins.length === 0 ? object : await runAdmit(plugins, admissionAttributes(target, context, operation, object, oldObject));
  return deduplicateOwners(changed, context, ' after mutating admission happens');
}

/** Runs the validating half of admission. */
export async function admissionValidated(
  plugins: readonly AdmissionPlugin[],
  target: WriteTarget,
  context: RequestContext,
  operation: Operation,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): Promise<void> {
  if (plugins.length === 0) return;
  await runValidate(plugins, admissionAttributes(target, context, operation, object, oldObject));
}

function admissionAttributes(
  { resource, subresource, namespace, name, options }: WriteTarget,
  context: RequestContext,
  operation: Operation,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): AdmissionAttributes {
  return {
    operation,
    resource: resource.gvr,
    kind: resource.gvk,
    subresource,
    namespace,
    name: name === '' ? (object?.metadata.name ?? '') : name,
    requestName: name,
    user: context.user,
    dryRun: context.dryRun,
    object,
    oldObject,
    options,
    warn: (text) => context.warn(text),
  };
}

/** What a kind asks of an object's metadata. */
export function metadataRules({ definition, namespaced, dialect }: ServedResource, object: ApiObject): ObjectMetaRules {
  const { nameRule = nameIsDns1123Subdomain } = definition;
  return {
    namespaced,
    nameRule: (name, prefix) => nameRule(name, prefix, object),
    ...(definition.groupStem === undefined ? {} : { coreFinalizers: coreFinalizers(dialect) }),
  };
}

/** What is wrong with a kind's own fields: its schema's rules where bodies are not typed, then its strategy's. */
export async function validateKind(
  { definition }: ServedResource,
  route: Pick<Strategy<ApiObject>, 'validate' | 'validateUpdate'> | undefined,
  object: ApiObject,
  old: ApiObject | undefined,
  context: RequestContext,
): Promise<readonly FieldError[]> {
  const structural = definition.decoding === 'structural' ? validateStructural(definition.schema, object, '') : [];
  const special =
    old && route?.validateUpdate ? route.validateUpdate(object, old, context) : (route?.validate ?? definition.strategy?.validate)?.(object, context);
  return [...structural, ...((await special) ?? [])];
}

/** @throws ApiError 422 when there are errors. */
export function refuseInvalid(resource: ServedResource, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiError.invalid(resource.storedKind, object.metadata.name ?? '', errors);
}

/** Drops owner references that stand twice, with a warning (gap file 2.2.4). */
export function deduplicateOwners(object: ApiObject, context: RequestContext, when = ''): ApiObject {
  const owners = object.metadata.ownerReferences;
  if (!owners || owners.length < 2) return object;
  const seen = new Set<string>();
  const doubled = new Set<string>();
  const kept = owners.filter((owner) => {
    const identity = ownerIdentity(owner);
    if (!seen.has(identity)) return seen.add(identity);
    doubled.add(owner.uid);
    return false;
  });
  if (doubled.size === 0) return object;
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject ` +
      `such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...doubled].join(', ')}`,
  );
  return withMetadata(object, { ownerReferences: kept });
}

function ownerIdentity({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}
