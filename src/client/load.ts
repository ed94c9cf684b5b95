import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { isAlreadyExists } from '../meta/api-error.js';
import { parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { decodeYamlDocuments } from '../serialization/yaml/documents.js';
import type { Client } from './client.js';

/**
 * Returns the objects of a source; lists are replaced by their items.
 * @param source YAML or JSON text with any number of documents, or objects.
 * @throws TypeError for a value that is not an object, DecodeError for a text that cannot be parsed.
 */
export async function readObjects(source: string | readonly object[]): Promise<readonly JsonObject[]> {
  const documents: readonly unknown[] = typeof source === 'string' ? await decodeYamlDocuments(source) : source;
  return documents.flatMap((document) => itemsOf(document as JsonValue)); // itemsOf checks the type
}

/**
 * Writes objects like requests do: creates them, or replaces those that exist, including their status. Namespaces are written first,
 * whatever the order.
 * @throws TypeError for an object whose kind is not served; ApiError if one is refused. The objects before it stay stored.
 */
export async function loadObjects(
  client: Client,
  registry: ResourceRegistry,
  objects: readonly JsonObject[],
): Promise<void> {
  const inOrder = [
    ...objects.filter(({ kind }) => kind === 'Namespace'),
    ...objects.filter(({ kind }) => kind !== 'Namespace'),
  ];
  for (const object of inOrder) await storeObject(client, registry, object);
}

function itemsOf(document: JsonValue): JsonObject[] {
  if (document === null) return [];
  if (!isJsonObject(document)) throw new TypeError('a document to load must be an object');
  const { kind, items, apiVersion } = document;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item: JsonValue) =>
      itemsOf(
        isJsonObject(item)
          ? { ...(kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) }), ...item }
          : item,
      ),
    );
  }
  return [document];
}

async function storeObject(client: Client, registry: ResourceRegistry, object: JsonObject): Promise<void> {
  const { apiVersion, kind } = object;
  const groupVersion = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const store =
    groupVersion && typeof kind === 'string'
      ? registry.current.findKind(groupVersion.group, groupVersion.version, kind)
      : undefined;
  if (!store) throw notServed(object);
  const { definition, namespaced } = store.resource;
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _time,
    ...metadata
  } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : 'default';
  const fresh = { ...object, metadata } as unknown as ApiObject; // the request decodes and validates it
  const where = namespaced ? { namespace } : {};
  try {
    await client.create(definition, fresh, where);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.replace(definition, fresh, where);
  }
  if (isJsonObject(object['status']) && Object.hasOwn(definition.subresources ?? {}, 'status'))
    await client.replace(definition, fresh, { ...where, subresource: 'status' });
}

/** Returns the error for an object whose kind is not served. */
export function notServed({ apiVersion, kind }: JsonObject): TypeError {
  return new TypeError(`no kind ${String(kind)} in ${String(apiVersion)} is served`);
}
