import type { JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { validateMetaOnCreate } from '../../meta/object-meta-validation.js';
import { validateStructural } from '../../schema/structural.js';
import type { Entry } from '../../store/storage.js';
import { editOwn } from '../edit.js';
import { inOrderOf, servedForm } from '../served/served-form.js';
import { loading, objectKey, type ServedResource } from '../served/served-resource.js';
import type { StrategyContext } from '../strategy.js';
import { decodeFields } from './decode-fields.js';
import { metadataRules, refuseInvalid } from './prepare.js';

/**
 * Reads an object that was stored before, as the store keeps it: with its uid, version, times and owners of fields. What
 * admission and defaults for new objects would add is in it already.
 * @throws ApiError 400 for what is not of this kind, 422 for what the kind's rules refuse.
 */
export async function readStoredObject(
  resource: ServedResource,
  value: JsonObject,
  context: StrategyContext,
): Promise<Entry<ApiObject>> {
  await loading(resource);
  const { definition, gvk } = resource;
  const told = (problem: string) => apiError.badRequest(`${gvk.kind}: ${problem}`);
  // The caller keeps its object: nothing is shared with it.
  const { object: decoded } = decodeFields(resource, value, told, { copyRaw: true });
  const { strategy } = definition;
  const object = strategy?.completeStored
    ? editOwn(decoded, (draft) => strategy.completeStored?.(draft, context.host))
    : decoded;
  // As an update that changes nothing: what only new objects must be does not matter any more.
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
  const form = servedForm(resource);
  const revision = Number(resourceVersion);
  return {
    key: objectKey(resource, namespace, name),
    // What somebody else converts stays in the version it was in, which may not be the one that is stored today.
    value: form.ready ? inOrderOf(resource, object) : await form.toStorage(object),
    revision,
    createRevision: revision,
  };
}
