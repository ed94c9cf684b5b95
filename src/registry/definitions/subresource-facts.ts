import type { ApiObject } from '../../meta/object-meta.js';
import type { CreateSubresource, Subresource } from './subresource.js';

/** The kind of the request and response bodies of a subresource, if it is not the object's own kind. */
export type SubresourceKind = Pick<CreateSubresource<ApiObject>['create'], 'kind' | 'groupStem' | 'version' | 'schema'>;

/** Returns the kind of the request and response bodies of a subresource; undefined when it is the object's own kind. */
export function kindOfSubresource(subresource: Subresource<ApiObject>): SubresourceKind | undefined {
  if ('create' in subresource) return subresource.create;
  return 'part' in subresource ? subresource.part : undefined;
}

/** Returns the verbs that clients can use on a subresource. */
export function verbsOfSubresource(
  subresource: Subresource<ApiObject>,
): readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[] {
  if ('create' in subresource) return ['create'];
  if ('relay' in subresource) return subresource.relay.verbs;
  return ('part' in subresource ? undefined : subresource.verbs) ?? ['get', 'patch', 'update'];
}
