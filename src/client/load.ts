import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { ApiError, isAlreadyExists, isConflict } from '../meta/api-error.js';
import { parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { decodeYamlDocuments } from '../serialization/yaml/documents.js';
import { messageOf } from '../values/message-of.js';
import type { Client } from './client.js';

/** A file with objects. */
export interface ManifestFile {
  /** The name of the file, with which error messages begin. */
  readonly name: string;
  /** YAML or JSON with any number of documents. */
  readonly text: string;
}

/**
 * Files with objects. They are read when the objects are loaded. `manifests()` of `orch-apiserver/testing/servers` returns the files of a
 * folder or a glob.
 */
export interface Manifests {
  /** Reads the files, in the order in which they are loaded. */
  read(): Promise<readonly ManifestFile[]>;
}

/** The objects to load: YAML or JSON text with any number of documents, an array of objects, or files. */
export type LoadSource = string | readonly object[] | Manifests;

/** The objects that were read from a {@link LoadSource}. */
export interface ReadSource {
  readonly objects: readonly JsonObject[];
  /** The file name of each object that was read from a file. */
  readonly fileOf: ReadonlyMap<JsonObject, string>;
  readonly texts: readonly string[];
}

/**
 * Reads the objects of a source; lists are replaced by their items.
 * @throws TypeError for a value that is not an object, DecodeError for a text that cannot be parsed; for a source of files, Error whose
 * message begins with the name of the file.
 */
export async function readSource(source: LoadSource): Promise<ReadSource> {
  const fileOf = new Map<JsonObject, string>();
  if (typeof source === 'string') return { objects: await objectsOf(source), fileOf, texts: [source] };
  // A JavaScript caller may pass any value. A single object is the most likely mistake.
  if (typeof source !== 'object' || source === null || !(Array.isArray(source) || 'read' in source))
    throw new TypeError('load needs YAML or JSON as a string, a list of objects such as [object], or manifests(path)');
  // `itemsOf` checks the type of each object, so the cast is safe.
  if (!('read' in source)) return { objects: source.flatMap((each) => itemsOf(each as JsonValue)), fileOf, texts: [] };
  const files = await source.read();
  for (const { name, text } of files) {
    const objects = await objectsOf(text).catch((error: unknown) => {
      throw inFile(name, error);
    });
    for (const object of objects) fileOf.set(object, name);
  }
  return { objects: [...fileOf.keys()], fileOf, texts: files.map(({ text }) => text) };
}

async function objectsOf(text: string): Promise<JsonObject[]> {
  return (await decodeYamlDocuments(text)).flatMap(itemsOf);
}

/** Returns an error whose message begins with the name of a file. An ApiError or a TypeError keeps its class. */
function inFile(name: string, error: unknown): unknown {
  if (error instanceof ApiError)
    return new ApiError({ ...error.status, message: `${name}: ${error.message}` }, { cause: error });
  const message = `${name}: ${messageOf(error)}`;
  return error instanceof TypeError ? new TypeError(message, { cause: error }) : new Error(message, { cause: error });
}

/**
 * Writes objects by requests: creates them, or replaces those that exist, including their status. Namespaces are written before all other
 * objects.
 * @throws TypeError for an object whose kind is not served; ApiError if one is refused. The objects before it stay stored.
 */
export async function loadObjects(
  client: Client,
  registry: ResourceRegistry,
  objects: readonly JsonObject[],
  fileOf: ReadonlyMap<JsonObject, string>,
): Promise<void> {
  const inOrder = [
    ...objects.filter(({ kind }) => kind === 'Namespace'),
    ...objects.filter(({ kind }) => kind !== 'Namespace'),
  ];
  for (const object of inOrder)
    await storeObject(client, registry, object).catch((error: unknown) => {
      const file = fileOf.get(object);
      throw file === undefined ? error : inFile(file, error);
    });
}

function itemsOf(document: JsonValue): JsonObject[] {
  if (document === null) return [];
  if (typeof document === 'string')
    throw new TypeError("a document to load must be an object, not a string; load(manifests('path')) loads files");
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
  // The server decodes and validates the object, so the cast is safe.
  const fresh = { ...object, metadata } as unknown as ApiObject;
  const where = namespaced ? { namespace } : {};
  try {
    await client.create(definition, fresh, where);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await replaceObject(client, definition, fresh, where);
  }
  if (isJsonObject(object['status']) && Object.hasOwn(definition.subresources ?? {}, 'status'))
    await replaceObject(client, definition, fresh, { ...where, subresource: 'status' });
}

/** How often an object is replaced while controllers of the server change it, too. */
const MAX_CONFLICTS = 100;

/** Replaces an object. Many kinds, such as custom resources, refuse an update without the resourceVersion of the stored object. */
async function replaceObject(
  client: Client,
  definition: ResourceDefinition,
  object: ApiObject,
  { subresource, ...where }: { readonly namespace?: string; readonly subresource?: string },
): Promise<void> {
  const { metadata } = object;
  for (let attempt = 1; ; attempt++) {
    const { resourceVersion = '' } = (await client.get(definition, metadata.name ?? '', where)).metadata;
    const next = { ...object, metadata: { ...metadata, resourceVersion } };
    try {
      await client.replace(definition, next, subresource === undefined ? where : { ...where, subresource });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_CONFLICTS) throw error;
    }
  }
}

/** Returns the error for an object whose kind is missing or not served. */
export function notServed({ apiVersion, kind, metadata }: JsonObject): TypeError {
  if (apiVersion === undefined || kind === undefined) {
    const name = isJsonObject(metadata) ? metadata['name'] : undefined;
    const parts = JSON.stringify({ apiVersion, kind, name });
    return new TypeError(`an object to load must have apiVersion and kind: ${parts}`);
  }
  return new TypeError(`no kind ${String(kind)} in ${String(apiVersion)} is served`);
}
