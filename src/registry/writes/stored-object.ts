import type { JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { validateMetaOnCreate } from '../../meta/object-meta-validation.js';
import { validateStructural } from '../../schema/structural.js';
import type { Entry } from '../../store/storage.js';
import { editOwn } from '../edit.js';
import { inOrderOf, servedForm } from '../served/served-form.js';
import { objectKey, type ServedResource } from '../served/served-resource.js';
import type { StrategyContext } from '../strategy.js';
import { decodeStored } from './ownership.js';
import { metadataRules, refuseInvalid } from './prepare.js';

/**
 * Reads a saved object as the store keeps it: with its uid, version, times and managedFields. It already has everything that admission and
 * the defaults of new objects add.
 * @throws ApiError 400 for an object that is not of this kind, 422 for one that the kind's rules refuse.
 */
export async function readStoredObject(
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
  // An object that a webhook converts keeps its version, which may differ from the current storage version.
  const kept = form.ready ? inOrderOf(resource, stored) : await form.toStorage(stored);
  const object = form.ready ? stored : form.fromStorage(kept);
  // The object is validated as an update that changes nothing, because rules for new objects do not apply to it.
  const problems = strategy?.validateUpdate
    ? strategy.validateUpdate(object, object, context)
    : strategy?.validate?.(object, context);
  refuseInvalid(resource, object, [
    ...validateMetaOnCreate(object.metadata, metadataRules(resource, object)),
    ...(definition.decoding === 'structural' && definition.strategyValidatesSchema !== true
      ? validateStructural(definition.schema, object, '')
      : []),
    ...((await problems) ?? []),
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
