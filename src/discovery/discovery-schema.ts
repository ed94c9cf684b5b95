import {
  always,
  listAtomic,
  listMap,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  structSchema,
} from '../schema/authoring.js';
import { listMeta, objectMeta, withTypeMeta } from '../schema/object-meta-schema.js';
import type { ObjectSchema } from '../schema/schema.js';

const schemas = new Map<string, ObjectSchema>();

/** Returns the schema of an aggregated discovery document. The protobuf form of the document needs it (spec 10.3). */
export function discoverySchema(version: 'v2' | 'v2beta1'): ObjectSchema {
  const known = schemas.get(version);
  if (known !== undefined) return known;
  const schema = structSchema(groupDiscoveryList(`io.k8s.api.apidiscovery.${version}`));
  schemas.set(version, schema);
  return schema;
}

function groupDiscoveryList(pack: string) {
  const responseKind = struct('io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind', '', () => ({
    group: required(string(), 1),
    version: required(string(), 2),
    kind: required(string(), 3),
  }));
  const subresource = struct(`${pack}.APISubresourceDiscovery`, '', () => ({
    subresource: required(string(), 1),
    responseKind: omitNull(responseKind, 2),
    acceptedTypes: omitEmpty(listAtomic(responseKind), 3),
    verbs: required(listAtomic(string()), 4),
  }));
  const resource = struct(`${pack}.APIResourceDiscovery`, '', () => ({
    resource: required(string(), 1),
    responseKind: omitNull(responseKind, 2),
    scope: required(string(), 3),
    singularResource: required(string(), 4),
    verbs: required(listAtomic(string()), 5),
    shortNames: omitEmpty(listAtomic(string()), 6),
    categories: omitEmpty(listAtomic(string()), 7),
    subresources: omitEmpty(listMap(subresource, ['subresource']), 8),
  }));
  const version = struct(`${pack}.APIVersionDiscovery`, '', () => ({
    version: required(string(), 1),
    resources: omitEmpty(listMap(resource, ['resource']), 2),
    freshness: omitEmpty(string(), 3),
  }));
  const group = withTypeMeta(`${pack}.APIGroupDiscovery`, () => ({
    metadata: always(objectMeta, 1),
    versions: omitEmpty(listMap(version, ['version']), 2),
  }));
  return withTypeMeta(`${pack}.APIGroupDiscoveryList`, () => ({
    metadata: always(listMeta, 1),
    items: required(listAtomic(group), 2),
  }));
}
