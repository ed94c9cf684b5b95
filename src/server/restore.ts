import { notServed } from '../client/load.js';
import type { JsonObject } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import { METADATA_CHECK, validateGenericName, validateWholeMeta } from '../meta/object-meta-validation.js';
import { editOwn } from '../registry/edit.js';
import { inOrderOf, servedForm } from '../registry/served/served-form.js';
import { objectKey, type ServedResource } from '../registry/served/served-resource.js';
import type { StrategyContext } from '../registry/strategy.js';
import { decodeStored } from '../registry/writes/ownership.js';
import { metadataRules, refuseInvalid } from '../registry/writes/prepare.js';
import { validateStructural } from '../schema/structural.js';
import type { Entry, Storage } from '../store/storage.js';
import type { InitialState } from '../store/storage-factory.js';
import { LOOPBACK_USER } from './clients.js';

/**
 * Prepares objects from a server's storage to be stored again.
 * @throws TypeError for a kind that is not served; ApiError for an object that its kind refuses.
 */
export async function readState(
  objects: readonly JsonObject[],
  resources: readonly ServedResource[],
  host: Host,
): Promise<readonly Entry<ApiObject>[]> {
  const byKind = new Map(resources.map((resource) => [`${resource.apiVersion} ${resource.gvk.kind}`, resource]));
  const context: StrategyContext = { host, user: LOOPBACK_USER, dryRun: false, warn: () => {} };
  const entries = new Map<string, Entry<ApiObject>>();
  for (const object of objects) {
    const resource = byKind.get(`${String(object['apiVersion'])} ${String(object['kind'])}`);
    if (!resource || resource.definition.virtual) throw notServed(object);
    const entry = await readStoredObject(resource, object, context);
    entries.set(entry.key, entry);
  }
  return [...entries.values()];
}

/** Returns the initial state of a storage. Its revision is at least the saved one, so that no resourceVersion is ever used twice. */
export function initialState(entries: readonly Entry<ApiObject>[], revision: number): InitialState<ApiObject> {
  return { entries, revision: entries.reduce((newest, entry) => Math.max(newest, entry.revision), revision) };
}

/**
 * Restores objects with new resourceVersions in a storage that already has a history. Owners are written before their dependents, and the
 * writes are not awaited one by one, so that no reader sees an object whose owner is still missing.
 */
export async function restoreEntries(storage: Storage<ApiObject>, entries: readonly Entry<ApiObject>[]): Promise<void> {
  const writes: Promise<unknown>[] = [];
  for (const { key, value } of ownersFirst(entries)) {
    const { uid } = value.metadata;
    const stored = storage.get(key);
    // If the stored object has another uid, it is deleted first, so that watches see that the restored one is a different object.
    if (stored && stored.value.metadata.uid !== uid)
      writes.push(storage.guaranteedUpdate(key, () => ({ action: 'delete' })));
    writes.push(storage.guaranteedUpdate(key, () => ({ action: 'put', value })));
  }
  await Promise.all(writes);
}

function ownersFirst(entries: readonly Entry<ApiObject>[]): readonly Entry<ApiObject>[] {
  const byUid = new Map(entries.map((entry) => [entry.value.metadata.uid, entry]));
  const ordered = new Set<Entry<ApiObject>>();
  const visiting = new Set<Entry<ApiObject>>();
  // The loop avoids recursion, because chains of owners may be long.
  for (const first of entries) {
    const stack = [first];
    for (let entry = stack.at(-1); entry; entry = stack.at(-1)) {
      const owners = entry.value.metadata.ownerReferences ?? [];
      const missing = visiting.has(entry)
        ? []
        : owners
            .flatMap(({ uid }) => byUid.get(uid) ?? [])
            .filter((owner) => !ordered.has(owner) && !visiting.has(owner));
      visiting.add(entry);
      if (missing.length > 0) stack.push(...missing);
      else ordered.add(stack.pop() ?? entry);
    }
  }
  return [...ordered];
}

/**
 * Reads a saved object in the form in which the store keeps it, with its uid, resourceVersion, times and managedFields. The object is
 * neither admitted nor defaulted, because both happened when it was created.
 * @throws ApiError 400 for an object that is not of this kind, 422 for one that is invalid.
 */
async function readStoredObject(
  resource: ServedResource,
  value: JsonObject,
  context: StrategyContext,
): Promise<Entry<ApiObject>> {
  const { definition, gvk } = resource;
  const badRequest = (problem: string) => apiError.badRequest(`${gvk.kind}: ${problem}`);
  const decoded = decodeStored(resource, value, badRequest);
  const { strategy } = definition;
  const stored = strategy?.completeStored
    ? editOwn(decoded, (draft) => strategy.completeStored?.(draft, context.host))
    : decoded;
  const form = servedForm(resource);
  // An object of a kind with a conversion webhook keeps the API version in which it was saved, which may differ from the current storage
  // version.
  const kept = form.ready ? inOrderOf(resource, stored) : await form.toStorage(stored);
  const object = form.ready ? stored : form.fromStorage(kept);
  // The object is validated as an update that changes nothing, because rules for new objects do not apply to it.
  const problems = strategy?.validateUpdate
    ? strategy.validateUpdate(object, object, context)
    : strategy?.validate?.(object, context);
  const metadataErrors = validateWholeMeta(object.metadata, metadataRules(resource, object));
  refuseInvalid(resource, object, [
    ...(metadataErrors.length > 0 ? metadataErrors : validateGenericName(object.metadata)),
    ...(definition.decoding === 'structural' && definition.strategyValidatesSchema !== true
      ? validateStructural(definition.schema, object, '')
      : []),
    ...((await problems) ?? []).filter((error) => error !== METADATA_CHECK),
  ]);
  const { name = '', namespace = '', resourceVersion } = object.metadata;
  const revision = Number(resourceVersion);
  return {
    key: objectKey(resource, namespace, name),
    value: kept,
    revision,
    createRevision: revision,
  };
}
