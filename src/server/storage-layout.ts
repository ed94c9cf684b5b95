import { isJsonObject, type JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withMetadata } from '../registry/edit.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { servedForm } from '../registry/served/served-form.js';
import { type ServedResource, serveResource } from '../registry/served/served-resource.js';
import { decodeStored } from '../registry/writes/ownership.js';
import { decodeProtobuf, encodeProtobuf, readEnvelope } from '../serialization/protobuf/documents.js';
import type { StorageLayout } from '../store/storage-factory.js';

const ROOT = '/registry/';
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const OPENING_BRACE = 0x7b;
/** Keys that only kube-apiserver uses: allocations of addresses and ports, and leases of servers. */
const FOREIGN = ['ranges/', 'masterleases/', 'peerserverleases/'].map((name) => ROOT + name);

/**
 * Returns the layout in which kube-apiserver stores objects in etcd. Most built-in kinds are protocol buffers below
 * `/registry/<resource>/`, each kind in one version. Custom resources and a few built-in kinds are JSON below
 * `/registry/<group>/<resource>/`.
 * @param eventLifetime milliseconds for which objects of kinds that expire are kept
 */
export function storageLayout(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
  eventLifetime: number,
): StorageLayout {
  const kinds = new StoredKinds(definitions, dialect);
  const lifetime = Math.ceil(eventLifetime / 1000);
  return {
    root: ROOT,
    codec: {
      encode: (object) => kinds.encode(object as ApiObject),
      decode: (bytes) => kinds.decode(bytes),
      // In memory, an object takes about four times as many bytes as its protocol buffer.
      sizeOf: (bytes) => 4 * bytes.length,
    },
    toStored: (key) => kinds.toStored(key),
    fromStored: (key) => (FOREIGN.some((prefix) => key.startsWith(prefix)) ? undefined : kinds.fromStored(key)),
    ...(lifetime > 0 ? { lifetimeOf: (key: string) => (kinds.expires(key) ? lifetime : undefined) } : {}),
  };
}

/** The kinds that are stored, by the apiVersion and kind in the stored objects. */
class StoredKinds {
  readonly #dialect: Dialect;
  readonly #byType = new Map<string, ServedResource>();
  /** Pairs of key prefixes, for resources whose prefix in this server differs from that in kube-apiserver. */
  readonly #renamed: (readonly [own: string, stored: string])[] = [];
  readonly #expiring: readonly string[];

  constructor(definitions: readonly ResourceDefinition[], dialect: Dialect) {
    this.#dialect = dialect;
    for (const definition of definitions) {
      if (definition.virtual) continue;
      for (const each of [definition, definition.storedAs?.definition])
        if (each !== undefined) this.#add(serveResource(each, dialect));
    }
    this.#expiring = [...this.#byType.values()]
      .filter(({ definition }) => definition.expires)
      .map(({ keyPrefix }) => keyPrefix);
  }

  #add(resource: ServedResource): void {
    const { apiVersion, gvk, groupResource, definition, keyPrefix } = resource;
    const type = typeKey(apiVersion, gvk.kind);
    if (this.#byType.has(type)) return;
    this.#byType.set(type, resource);
    const { inJson } = definition;
    if (!inJson) return;
    this.#renamed.push([keyPrefix, `${ROOT}${groupResource.group}/${groupResource.resource}/`]);
    if (inJson.version !== undefined) this.#byType.set(typeKey(`${gvk.group}/${inJson.version}`, gvk.kind), resource);
  }

  toStored(key: string): string {
    for (const [own, stored] of this.#renamed) if (key.startsWith(own)) return stored + key.slice(own.length);
    return key;
  }

  fromStored(key: string): string {
    for (const [own, stored] of this.#renamed) if (key.startsWith(stored)) return own + key.slice(stored.length);
    return key;
  }

  expires(key: string): boolean {
    return this.#expiring.some((prefix) => key.startsWith(prefix));
  }

  encode(object: ApiObject): Uint8Array {
    // The resourceVersion is not stored, because it is the revision of the object's key.
    const bare = withMetadata(object, { resourceVersion: undefined });
    const resource = this.#byType.get(typeKey(object.apiVersion, object.kind));
    if (resource === undefined || resource.definition.decoding === 'structural') return json(bare);
    const { inJson, schema } = resource.definition;
    if (!inJson) return encodeProtobuf(bare, schema);
    return json(inJson.toStored?.(bare, this.#dialect) ?? bare);
  }

  /** @throws Error for bytes that are not an object in a known encoding */
  decode(bytes: Uint8Array): ApiObject {
    if (bytes[0] === OPENING_BRACE) return this.#fromJson(JSON.parse(fromUtf8.decode(bytes)));
    const { type, raw } = readEnvelope(bytes);
    const resource = this.#byType.get(typeKey(type.apiVersion, type.kind));
    if (resource === undefined) throw new TypeError(`${type.apiVersion} ${type.kind} is not a kind of this server`);
    return this.#complete(resource, { ...decodeProtobuf(raw, resource.definition.schema), ...type });
  }

  #fromJson(value: unknown): ApiObject {
    if (!isJsonObject(value)) throw new TypeError('a stored value is not an object');
    // Only the apiVersion and kind are read here, which every stored object has. `#complete` adds the members that are missing, so the cast
    // is safe.
    const object = value as unknown as ApiObject & JsonObject;
    const resource = this.#byType.get(typeKey(object.apiVersion, object.kind));
    // Custom resources are returned unchanged, because they are converted and defaulted by their CustomResourceDefinition when they are
    // read.
    if (resource === undefined || resource.definition.decoding === 'structural') return object;
    const { fromStored } = resource.definition.inJson ?? {};
    return this.#complete(resource, fromStored?.(object, this.#dialect) ?? object);
  }

  /** Adds the members that the stored form omits, and converts the object to the form that is kept in memory. */
  #complete(resource: ServedResource, value: JsonObject): ApiObject {
    const object = decodeStored(resource, value, (problem) => new TypeError(problem));
    const stored = servedForm(resource).toStorage(object);
    if (stored instanceof Promise) throw new TypeError(`${resource.gvk.kind} is not stored in protocol buffers`);
    return stored;
  }
}

const typeKey = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;
const json = (object: object): Uint8Array => utf8.encode(`${JSON.stringify(object)}\n`);
