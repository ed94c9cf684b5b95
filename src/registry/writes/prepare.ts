import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { decodeManagedFields, UndecodableManagedFields } from '../../fields/managed-fields.js';
import { apiError } from '../../meta/api-error.js';
import type { FieldError } from '../../meta/field-error.js';
import { type Flow, settled } from '../../meta/flow.js';
import { nameIsDns1123Subdomain } from '../../meta/names.js';
import type { ApiObject, OwnerReference } from '../../meta/object-meta.js';
import { coreFinalizers, type ObjectMetaRules } from '../../meta/object-meta-validation.js';
import { validateStructural } from '../../schema/structural.js';
import { deepFreeze } from '../../store/freeze.js';
import { withMetadata } from '../edit.js';
import type { RequestContext } from '../request-context.js';
import type { ObjectSubresource } from '../resource-definition.js';
import { inOrderOf } from '../served/served-form.js';
import type { ServedResource } from '../served/served-resource.js';
import type { Claim, Strategy } from '../strategy.js';
import { resourceForms } from './admission-forms.js';
import type { Write } from './write.js';

/** Orders and freezes a large object before the commit, in slices, so that the commit does not block the event loop. */
export function* readyLargeObject({ target }: Write, object: ApiObject, pause: () => Promise<void>): Flow<ApiObject> {
  yield* settled(pause());
  const ordered = inOrderOf(target.resource, object);
  yield* settled(pause());
  const frozen = deepFreeze(ordered);
  yield* settled(pause());
  return frozen;
}

/**
 * Runs mutating admission. Owner references that are duplicated afterwards (by admission or a patch) are dropped, and managedFields that
 * admission made undecodable are restored.
 */
export function* runMutatingAdmission(
  write: Write,
  object: ApiObject,
  oldObject: ApiObject | undefined,
): Flow<ApiObject> {
  const { context } = write;
  const { admission } = write.environment;
  const changed = (yield* admission.admit(admissionAttributes(write, object, oldObject))) ?? object;
  const sameOwners = changed.metadata.managedFields === object.metadata.managedFields;
  const admitted = sameOwners ? changed : withReadableOwners(changed, object, context);
  return deduplicateOwners(admitted, context, AFTER_ADMISSION);
}

const AFTER_ADMISSION = ' after mutating admission happens';

function withReadableOwners(changed: ApiObject, before: ApiObject, context: RequestContext): ApiObject {
  const { managedFields } = changed.metadata;
  try {
    decodeManagedFields(managedFields);
    // Like the other empty lists of the metadata, an empty list of owners is not stored.
    return managedFields?.length === 0 ? withMetadata(changed, { managedFields: undefined }) : changed;
  } catch (error) {
    if (!(error instanceof UndecodableManagedFields)) throw error;
    context.warn(
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
        `admission controller; please fix your requests: ${error.message}`,
    );
    return withMetadata(changed, { managedFields: before.metadata.managedFields });
  }
}

/**
 * Runs mutating and validating admission for a deletion. There is no new object that admission could change. @throws ApiError when
 * admission refuses it.
 */
export function* runDeletionAdmission(write: Write, current: ApiObject): Flow<void> {
  const { admission } = write.environment;
  const attributes = admissionAttributes(write, undefined, current);
  yield* admission.admit(attributes);
  yield* admission.validate(attributes);
}

/**
 * Checks, at the commit of a new object, conditions that may have changed since admission, such as whether the namespace is terminating.
 * @throws ApiError
 */
export function refuseAtCommit(write: Write, object: ApiObject): void {
  const { admission, resource } = write.environment;
  resource.definition.strategy?.atCommit?.();
  admission.checkAtCommit(admissionAttributes(write, object, undefined));
}

/**
 * Returns the prefixes of the keys that {@link refuseAtCommit} and the allocated values depend on. A storage that other servers write to,
 * too, commits the write only if no key with these prefixes has changed.
 */
export function commitsOn({ environment, target }: Write, claims: readonly Claim[]): readonly string[] {
  const { resource } = environment;
  return [
    ...(target.namespace === '' ? [] : [`${NAMESPACES}${target.namespace}`]),
    ...(claims.length === 0 ? [] : [resource.keyPrefix]),
    ...(resource.definition.strategy?.commitsOn ?? []),
  ];
}

const NAMESPACES = '/registry/namespaces/';

/**
 * Returns a write as admission sees it.
 * @param object the new object; undefined for a deletion
 * @param oldObject the stored object; undefined for a create
 */
export function admissionAttributes(
  write: Write,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): AdmissionAttributes {
  const { target, context } = write;
  const { resource, subresource, namespace, options } = target;
  const name = target.ofCollection ? '' : target.name;
  return {
    operation: object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE',
    resource: resource.gvr,
    kind: resource.gvk,
    isCustom: resource.definition.decoding === 'structural',
    subresource,
    namespace,
    name: name === '' ? (object?.metadata.name ?? '') : name,
    requestName: name,
    user: context.user,
    dryRun: context.dryRun,
    object,
    oldObject,
    options,
    forms: () => resourceForms(write),
    warn: (text) => context.warn(text),
    annotate: (key, value, level) => context.annotate(key, value, level),
    waited: (milliseconds) => context.waited(milliseconds),
    remaining: () => context.remaining(),
    throwIfGivenUp: () => context.signal.throwIfAborted(),
    observer: context.observer,
  };
}

/** Returns the kind's rules for the metadata of an object. */
export function metadataRules({ definition, namespaced, dialect }: ServedResource, object: ApiObject): ObjectMetaRules {
  const { nameRule, genericMetadata } = definition;
  return {
    namespaced,
    nameRule: nameRule ? (name, prefix) => nameRule(name, prefix, object) : nameIsDns1123Subdomain,
    ...(genericMetadata || !object.metadata.finalizers ? {} : { coreFinalizers: coreFinalizers(dialect) }),
  };
}

/** Returns the strategy of a write: that of the kind, or that of the subresource that is written. */
export function routeOf({ environment, target: { subresource } }: Write): RouteStrategy | undefined {
  const { definition } = environment.resource;
  if (subresource === '') return definition.strategy;
  // The subresources that serve a part, create an object or forward a request are written by other functions, so the cast is safe.
  return (definition.subresources?.[subresource] as ObjectSubresource<ApiObject> | undefined)?.strategy;
}
export type RouteStrategy = Pick<
  Strategy<ApiObject>,
  'prepareForUpdate' | 'validate' | 'validateUpdate' | 'warnings' | 'readyToRemove'
>;

/**
 * Returns the validation errors of a kind's own fields. Custom resources are validated against their schema first. If there are errors, the
 * kind's strategy does not run. So the strategy can rely on the static type of the object.
 * @param metadataErrors the errors of the metadata, which the caller reports
 */
export function* validateKind(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
  metadataErrors: readonly FieldError[],
): Flow<readonly FieldError[]> {
  const { context } = write;
  const { definition } = write.environment.resource;
  const route = routeOf(write);
  if (definition.decoding === 'structural' && definition.strategyValidatesSchema !== true) {
    const structural = validateStructural(definition.schema, object, '');
    if (structural.length > 0) return structural;
    const further = yield* settled(definition.checkObject?.(object) ?? []);
    if (further.length > 0) return further;
  }
  const special = yield* settled(
    old && route?.validateUpdate
      ? route.validateUpdate(object, old, context, metadataErrors)
      : (route?.validate ?? definition.strategy?.validate)?.(object, context, metadataErrors),
  );
  return special ?? [];
}

/** @throws ApiError 422 when there are errors. */
export function refuseInvalid(resource: ServedResource, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiError.invalid(resource.storedKind, object.metadata.name ?? '', errors);
}

/** Drops owner references that appear twice, with a warning (spec 2.13). */
export function deduplicateOwners(object: ApiObject, context: RequestContext, when = ''): ApiObject {
  const owners = object.metadata.ownerReferences;
  if (!owners || owners.length < 2) return object;
  const seen = new Set<string>();
  const doubled: string[] = [];
  const uniqueOwners = owners.filter((owner) => {
    const identity = ownerIdentity(owner);
    if (!seen.has(identity)) return seen.add(identity);
    doubled.push(owner.uid);
    return false;
  });
  if (doubled.length === 0) return object;
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject ` +
      `such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${doubled.join(', ')}`,
  );
  return withMetadata(object, { ownerReferences: uniqueOwners });
}

function ownerIdentity({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}

/**
 * Returns the object with the URL's namespace; objects of cluster-scoped kinds lose their namespace.
 * @throws ApiError 400 when the object has another namespace (spec 3.4).
 */
export function matchNamespace(resource: ServedResource, object: ApiObject, namespace: string): ApiObject {
  const bodyNamespace = object.metadata.namespace;
  if (!resource.namespaced)
    return bodyNamespace === undefined ? object : withMetadata(object, { namespace: undefined });
  if (bodyNamespace === namespace) return object;
  if (bodyNamespace !== undefined && bodyNamespace !== '')
    throw apiError.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return withMetadata(object, { namespace });
}

/**
 * Returns the object with the namespace of the request's path.
 * @throws ApiError 400 when its namespace or name differs from the path's (spec 3.6).
 */
export function placeObject(
  resource: ServedResource,
  object: ApiObject,
  at: { readonly namespace: string; readonly name: string },
): ApiObject {
  const { name: bodyName = '' } = object.metadata;
  const placed = matchNamespace(resource, object, at.namespace);
  if (bodyName === at.name) return placed;
  throw apiError.badRequest(
    bodyName === ''
      ? `the name of the object (${at.name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${bodyName}) does not match the name on the URL (${at.name})`,
  );
}
