import { type Dialect, groupOf } from '../meta/dialect.js';
import { formatGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Subresource } from '../registry/resource-definition.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { ServedResource } from '../registry/served-resource.js';
import { encodeJson } from '../serialization/json/encode.js';
import type { TypedObject } from '../serialization/protobuf/documents.js';
import { sha256, sha512 } from '../signatures/digest.js';
import { encodeBase64 } from '../values/base64.js';

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** A whole answer with its tag. */
export interface TaggedDocument {
  readonly document: TypedObject;
  /** As JSON. */
  readonly body: Uint8Array;
  /** Quoted, upper-case hexadecimal SHA-512. */
  readonly etag: string;
}

/** Says which groups, versions and resources are served (gap file 4.13). Documents are made when first asked for. */
export class DiscoveryDocuments {
  readonly #registry: ResourceRegistry;
  readonly #hashes = new Map<string, Promise<string>>();
  readonly #aggregated = new Map<string, Promise<TaggedDocument>>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** /api; `host` is where the caller reached the server. */
  coreVersions(host: string): object {
    return {
      kind: 'APIVersions',
      versions: this.#registry.groups.get('') ?? [],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
    };
  }

  /** /apis */
  groupList(): object {
    const names = [...this.#registry.groups.keys()].filter((group) => group !== '');
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: names.map((name) => this.#group(name)) };
  }

  /** /apis/<group>; undefined when it is not served. */
  group(name: string): object | undefined {
    return name !== '' && this.#registry.groups.has(name)
      ? { kind: 'APIGroup', apiVersion: 'v1', ...this.#group(name) }
      : undefined;
  }

  /** /api/<version> and /apis/<group>/<version>; undefined when it is not served. */
  async resourceList(group: string, version: string): Promise<object | undefined> {
    const stores = this.#registry.resourcesOf(group, version);
    if (stores.length === 0) return undefined;
    const lists = await Promise.all(stores.map((store) => this.#apiResources(store.resource)));
    const resources = lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
    const groupVersion = formatGroupVersion({ group, version });
    return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources };
  }

  /** The aggregated form of /api or /apis. */
  aggregated(root: 'api' | 'apis', version: 'v2' | 'v2beta1'): Promise<TaggedDocument> {
    const key = `${root} ${version}`;
    let made = this.#aggregated.get(key);
    if (!made) this.#aggregated.set(key, (made = this.#aggregate(root, version)));
    return made;
  }

  async #aggregate(root: 'api' | 'apis', version: string): Promise<TaggedDocument> {
    const { dialect } = this.#registry;
    const groups = [...this.#registry.groups.keys()].filter((group) => (group === '') === (root === 'api'));
    const document = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `${groupOf(dialect, 'apidiscovery')}/${version}`,
      metadata: {},
      items: groups.map((group) => ({
        metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
        versions: (this.#registry.groups.get(group) ?? []).map((each) => ({
          version: each,
          resources: this.#registry.resourcesOf(group, each).map((store) => discovered(store.resource)),
          freshness: 'Current',
        })),
      })),
    };
    const body = withNewline(encodeJson(document));
    return { document, body, etag: `"${await sha512(body)}"` };
  }

  #group(name: string) {
    const versions = (this.#registry.groups.get(name) ?? []).map((version) => ({
      groupVersion: `${name}/${version}`,
      version,
    }));
    return { name, versions, preferredVersion: versions[0] };
  }

  async #apiResources(resource: ServedResource): Promise<ApiResource[]> {
    const { definition, gvk, namespaced, verbs, dialect } = resource;
    const { plural, singular, shortNames, categories, virtual, subresources = {} } = definition;
    const main: ApiResource = {
      name: plural,
      singularName: singular,
      namespaced,
      kind: gvk.kind,
      verbs: [...verbs].sort(),
      ...(shortNames ? { shortNames } : {}),
      ...(categories ? { categories } : {}),
      ...(virtual ? {} : { storageVersionHash: await this.#storageVersionHash(resource) }),
    };
    const subs = Object.entries(subresources).map(
      ([name, subresource]): ApiResource => ({
        name: `${plural}/${name}`,
        singularName: '',
        namespaced,
        ...subresourceKind(subresource, gvk.kind, dialect),
        verbs: subresourceVerbs(subresource),
      }),
    );
    return [main, ...subs];
  }

  /** Base64 of the first eight bytes of the SHA-256 of the stored kind's name. */
  #storageVersionHash(resource: ServedResource): Promise<string> {
    const { group, version, kind } = storedKind(resource);
    const name = `${group}/${version}/${kind}`;
    let hash = this.#hashes.get(name);
    if (!hash) {
      hash = sha256(new TextEncoder().encode(name)).then((bytes) => encodeBase64(bytes.subarray(0, 8)));
      this.#hashes.set(name, hash);
    }
    return hash;
  }
}

function storedKind({ definition, gvk, dialect }: ServedResource) {
  const stored = definition.storedAs?.definition;
  if (!stored) return gvk;
  return {
    group: stored.group ?? groupOf(dialect, stored.groupStem ?? ''),
    version: stored.version,
    kind: stored.kind,
  };
}

function subresourceVerbs(subresource: Subresource<ApiObject>): readonly string[] {
  return 'connect' in subresource ? ['create'] : [...(subresource.verbs ?? ['get', 'patch', 'update'])].sort();
}

function subresourceKind(subresource: Subresource<ApiObject>, own: string, dialect: Dialect) {
  if (!('connect' in subresource)) return { kind: own };
  const { kind, groupStem, version } = subresource.connect;
  return { group: groupOf(dialect, groupStem), version, kind };
}

function discovered({ definition, gvk, namespaced, verbs, dialect }: ServedResource): object {
  const { plural, singular, shortNames, categories, subresources = {} } = definition;
  const own = { group: '', version: '', kind: gvk.kind };
  const subs = Object.entries(subresources)
    .map(([name, subresource]) => ({
      subresource: name,
      responseKind: { ...own, ...subresourceKind(subresource, gvk.kind, dialect) },
      verbs: subresourceVerbs(subresource),
    }))
    .sort((a, b) => (a.subresource < b.subresource ? -1 : 1));
  return {
    resource: plural,
    responseKind: own,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs].sort(),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(subs.length > 0 ? { subresources: subs } : {}),
  };
}

function withNewline(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + 1);
  out.set(bytes);
  out[bytes.length] = 10;
  return out;
}
