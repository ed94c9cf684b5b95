import { trackOwnership } from '../../fields/field-manager.js';
import type { Flow } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { ownershipRules, withConversions } from './ownership.js';
import type { Write } from './write.js';

/** Records which fields the caller owns after this write (spec 6.5). */
export function* trackOwners(
  { target, context }: Write,
  next: ApiObject,
  live: ApiObject | undefined,
): Flow<ApiObject> {
  const { resource } = target;
  const { schema, apiVersion, subresource, resetFields } = ownershipRules(resource, target.subresource);
  return yield* withConversions(resource, (convert) =>
    trackOwnership({
      schema,
      apiVersion,
      subresource,
      resetFields,
      convert,
      live,
      next,
      manager: context.fieldManager,
      now: context.host.clock.now(),
      rulings: resource.dialect.rulings,
    }),
  );
}
