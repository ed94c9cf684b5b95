import { always, listAtomic, listMap, omitEmpty, omitNull, required, string, struct } from '../schema/authoring.js';
import { listMeta, objectMeta, withTypeMeta } from '../schema/object-meta-schema.js';
import type { ObjectSchema } from '../schema/schema.js';
import { schemaOf } from '../schema/zod-to-schema.js';

const made = new Map<string, ObjectSchema>();

/** The schema of an aggregated discovery document, which its protobuf form needs (spec 10.3). */
export function discoverySchema(version: 'v2' | 'v2beta1'): ObjectSchema {
  const known = made.get(version);
  if (known !== undefined) return known;
  const schema = schemaOf(groupDiscoveryList(`io.k8s.api.apidiscovery.${version}`));
  if (schema.type !== 'object') throw new TypeError('a list of groups is an object');
  made.set(version, schema);
  return schema;
}

function groupDiscoveryList(pack: string) {
  const responseKind = struct('io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind', {
    group: required(string()),
    version: required(string()),
    kind: required(string()),
  });
  const subresource = struct(`${pack}.APISubresourceDiscovery`, {
    subresource: required(string()),
    responseKind: omitNull(responseKind),
    acceptedTypes: omitEmpty(listAtomic(responseKind)),
    verbs: required(listAtomic(string())),
  });
  const resource = struct(`${pack}.APIResourceDiscovery`, {
    resource: required(string()),
    responseKind: omitNull(responseKind),
    scope: required(string()),
    singularResource: required(string()),
    verbs: required(listAtomic(string())),
    shortNames: omitEmpty(listAtomic(string())),
    categories: omitEmpty(listAtomic(string())),
    subresources: omitEmpty(listMap(subresource, ['subresource'])),
  });
  const version = struct(`${pack}.APIVersionDiscovery`, {
    version: required(string()),
    resources: omitEmpty(listMap(resource, ['resource'])),
    freshness: omitEmpty(string()),
  });
  const group = withTypeMeta(`${pack}.APIGroupDiscovery`, {
    metadata: always(objectMeta),
    versions: omitEmpty(listMap(version, ['version'])),
  });
  return withTypeMeta(`${pack}.APIGroupDiscoveryList`, {
    metadata: always(listMeta),
    items: required(listAtomic(group)),
  });
}
