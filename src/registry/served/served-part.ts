import { groupOf } from '../../meta/dialect.js';
import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import { present } from '../../values/present.js';
import type { PartSubresource, ResourceDefinition } from '../resource-definition.js';
import type { ServedResource } from './served-resource.js';

/** A {@link PartSubresource} (`/scale`) of a resource, with the group names of the resource's API dialect. */
export interface ServedPart {
  readonly part: PartSubresource<ApiObject>['part'];
  /**
   * The kind of the part (`Scale`) as a {@link ServedResource}, so that bodies are decoded, patched and encoded like those of any resource.
   */
  readonly resource: ServedResource;
  /** Returns the part of an object (the Scale of a Deployment) with kind, apiVersion and metadata. */
  view(object: ApiObject): ApiObject;
  /** Returns the part of an object for an update or patch to start from. */
  viewForChange(object: ApiObject): ApiObject;
  /** Returns the part of an object for the response to a read. @throws ApiError for an object without the part */
  viewForRead(object: ApiObject): ApiObject;
}

const parts = new WeakMap<ServedResource, Map<string, ServedPart>>();

/** Returns the {@link ServedPart} of a subresource; undefined for the main resource ('') and for subresources without one. */
export function servedPart(parent: ServedResource, subresource: string): ServedPart | undefined {
  if (subresource === '') return undefined;
  const route = parent.definition.subresources?.[subresource];
  if (route === undefined || !('part' in route)) return undefined;
  let known = parts.get(parent);
  if (known === undefined) parts.set(parent, (known = new Map()));
  let served = known.get(subresource);
  if (served === undefined) known.set(subresource, (served = makePart(parent, route.part)));
  return served;
}

function makePart(parent: ServedResource, part: ServedPart['part']): ServedPart {
  const { kind, version, schema, columns, knownVersions, groupStem, scheme } = part;
  const group = groupOf(parent.dialect, groupStem);
  const own = { groupStem, version, kind, schema, ...present({ columns, knownVersions }) };
  const { convert: _, convertLater: __, ...names } = serveOwnKind(parent, own, group);
  const resource = { ...names, storedKind: names.gvk, ...present({ scheme }) };
  const wrap = ({ metadata: of }: ApiObject, content: object): ApiObject => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = of;
    const metadata = present<ObjectMeta>({ name, namespace, uid, resourceVersion, creationTimestamp });
    return { kind, apiVersion: resource.apiVersion, metadata, ...content };
  };
  const view = (object: ApiObject) => wrap(object, part.read(object));
  return {
    part,
    resource,
    view,
    viewForChange: (object) => wrap(object, part.readForChange?.(object) ?? part.read(object)),
    viewForRead(object) {
      part.requireShown?.(object);
      return view(object);
    },
  };
}

/** The members of a definition that describe the kind of a subresource's request and response bodies. */
type OwnKind = Pick<
  ResourceDefinition,
  'groupStem' | 'version' | 'kind' | 'schema' | 'columns' | 'knownVersions' | 'setDefaults'
>;

/**
 * Returns the kind of a subresource's bodies as a {@link ServedResource}, so that the bodies are decoded and encoded like those of any
 * resource. The result has the resource name, scope and API dialect of the parent.
 * @param group the full name of `own.groupStem`
 */
export function serveOwnKind(parent: ServedResource, own: OwnKind, group: string): ServedResource {
  const definition: ResourceDefinition<ApiObject> = {
    ...own,
    listKind: `${own.kind}List`,
    plural: parent.gvr.resource,
    singular: parent.definition.singular,
    scope: parent.definition.scope,
    decoding: 'typed',
  };
  const { version, kind } = own;
  return { ...parent, definition, gvk: { group, version, kind }, apiVersion: formatGroupVersion({ group, version }) };
}
