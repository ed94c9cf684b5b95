import type { ApiObject } from '../../meta/object-meta.js';
import type { ConnectSubresource, Subresource } from './definition.js';

/** The kind that a subresource speaks of, where it is not that of the object. */
export type SubresourceKind = Pick<
  ConnectSubresource<ApiObject>['connect'],
  'kind' | 'groupStem' | 'version' | 'schema'
>;

/** The kind that a subresource takes and answers; undefined for the object's own. */
export function kindOfSubresource(subresource: Subresource<ApiObject>): SubresourceKind | undefined {
  if ('connect' in subresource) return subresource.connect;
  return 'part' in subresource ? subresource.part : undefined;
}

/** What clients can ask of a subresource. */
export function verbsOfSubresource(
  subresource: Subresource<ApiObject>,
): readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[] {
  if ('connect' in subresource) return ['create'];
  if ('relay' in subresource) return subresource.relay.verbs;
  return ('part' in subresource ? undefined : subresource.verbs) ?? ['get', 'patch', 'update'];
}
