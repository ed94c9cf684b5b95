import { type Dialect, groupOf } from '../meta/dialect.js';
import { formatGroupVersion, type GroupVersionKind } from '../meta/group-version.js';
import { kindOfSubresource, subresourcesOf, verbsOfSubresource } from '../registry/definitions/subresource-facts.js';
import type { SubresourceNames } from '../registry/resource-definition.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { GroupVersionResources, RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { Chunks, Format } from '../serialization/format.js';
import { encodeJson } from '../serialization/json/encode.js';
import type { TypedObject } from '../serialization/protobuf/documents.js';
import { sha256, sha512 } from '../signatures/digest.js';
import { encodeBase64 } from '../values/base64.js';
import { ownGroups, type ServedGroups } from './served-groups.js';

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
  /** What was made of it for callers, by format: kept, as the document stays as it is. */
  readonly encodings: Map<Format, Chunks>;
  /** Quoted, upper-case hexadecimal SHA-512. */
  readonly etag: string;
}

/**
 * Says which groups, versions and resources are served (spec 10.1, 10.2). Documents are made when first asked for, and what
 * they say about a group version is kept as long as it stays the same. Every method describes the registry as it is now,
 * unless it is given another snapshot.
 */
export class DiscoveryDocuments {
  readonly #registry: Pick<ResourceRegistry, 'current'>;
  readonly #withHashes: boolean;
  readonly #groupsOf: (registry: RegistrySnapshot) => ServedGroups;
  readonly #hashes = new Map<string, Promise<string>>();
  readonly #lists = new WeakMap<GroupVersionResources, Promise<object>>();
  readonly #discovered = new WeakMap<GroupVersionResources, readonly object[]>();
  readonly #aggregated = new WeakMap<ServedGroups, Map<string, Promise<TaggedDocument>>>();

  /**
   * @param groupsOf the groups beside the kinds of a snapshot, and in what order; default: nothing, in the registry's own
   * @param withHashes whether stored kinds show a hash of the version they are stored in
   */
  constructor(registry: Pick<ResourceRegistry, 'current'>, groupsOf = ownGroups, withHashes = true) {
    this.#registry = registry;
    this.#groupsOf = groupsOf;
    this.#withHashes = withHashes;
  }

  /** Everything that is listed, with what other servers have. */
  served(registry: RegistrySnapshot = this.#registry.current): ServedGroups {
    return this.#groupsOf(registry);
  }

  /** /api; `addresses` is where clients reach the server, by where they are. */
  coreVersions(addresses: readonly object[], { groups }: RegistrySnapshot = this.#registry.current): object {
    return { kind: 'APIVersions', versions: groups.get('') ?? [], serverAddressByClientCIDRs: addresses };
  }

  /** /apis */
  groupList(registry: RegistrySnapshot = this.#registry.current): object {
    const named = [...this.served(registry).listed].filter(([group]) => group !== '');
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: named.map(([name, versions]) => describeGroup(name, versions)),
    };
  }

  /** /apis/<group>; undefined when it is not served. */
  group(name: string, registry: RegistrySnapshot = this.#registry.current): object | undefined {
    // One that is not listed is still described.
    const versions = name === '' ? undefined : (this.served(registry).listed.get(name) ?? registry.groups.get(name));
    return versions && { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(name, versions) };
  }

  /** /api/<version> and /apis/<group>/<version>; undefined when it is not served. */
  resourceList(
    group: string,
    version: string,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<object> | undefined {
    const resources = registry.groupVersion(group, version);
    if (!resources) return undefined;
    let made = this.#lists.get(resources);
    if (!made) this.#lists.set(resources, (made = this.#resourceList(resources)));
    return made;
  }

  async #resourceList({ group, version, stores, builtIn }: GroupVersionResources): Promise<object> {
    const lists = await Promise.all(stores.map((store) => this.#apiResources(store.resource)));
    // Subresources of users' kinds keep the order of their definitions.
    const resources = builtIn ? lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1)) : lists.flat();
    const groupVersion = formatGroupVersion({ group, version });
    return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources };
  }

  /** The aggregated form of /api or /apis. */
  aggregated(
    root: 'api' | 'apis',
    version: 'v2' | 'v2beta1',
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<TaggedDocument> {
    const key = `${root} ${version}`;
    const served = this.served(registry);
    let documents = this.#aggregated.get(served);
    if (!documents) this.#aggregated.set(served, (documents = new Map()));
    let made = documents.get(key);
    if (!made) documents.set(key, (made = this.#aggregate(root, version, registry, served)));
    return made;
  }

  async #aggregate(
    root: 'api' | 'apis',
    version: string,
    registry: RegistrySnapshot,
    { aggregated, remote }: ServedGroups,
  ): Promise<TaggedDocument> {
    const groups = [...aggregated].filter(([group]) => (group === '') === (root === 'api'));
    const document = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `${groupOf(registry.dialect, 'apidiscovery')}/${version}`,
      metadata: {},
      items: groups.map(([group, versions]) => ({
        metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
        versions: versions.map((each) => {
          const far = remote.get(`${group}/${each}`);
          const resources = far?.resources ?? this.#discover(registry.groupVersion(group, each));
          // Of a server that never answered nothing is known.
          const known = far && resources.length === 0 ? {} : { resources };
          return { version: each, ...known, freshness: far?.fresh === false ? 'Stale' : 'Current' };
        }),
      })),
    };
    // Of what both versions say alike: with another version the tag is the same.
    const { kind: _kind, apiVersion: _version, ...said } = document;
    return { document, encodings: new Map(), etag: `"${await sha512(encodeJson(said))}"` };
  }

  #discover(resources: GroupVersionResources | undefined): readonly object[] {
    if (!resources) return [];
    let made = this.#discovered.get(resources);
    if (!made) this.#discovered.set(resources, (made = resources.stores.map((store) => discovered(store.resource))));
    return made;
  }

  async #apiResources(resource: ServedResource): Promise<ApiResource[]> {
    const { definition, gvk, namespaced, dialect } = resource;
    const { plural, singular, shortNames, categories, virtual } = definition;
    const main: ApiResource = {
      name: plural,
      singularName: singular,
      namespaced,
      kind: gvk.kind,
      verbs: inOrder(resource),
      ...(shortNames ? { shortNames } : {}),
      ...(categories ? { categories } : {}),
      ...(virtual || !this.#withHashes ? {} : { storageVersionHash: await this.#storageVersionHash(resource) }),
    };
    const subs = Object.entries(subresourcesOf(definition)).map(
      ([name, subresource]): ApiResource => ({
        name: `${plural}/${name}`,
        singularName: '',
        namespaced,
        ...subresourceKind(subresource, gvk, dialect),
        verbs: [...verbsOfSubresource(subresource)].sort(),
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

function describeGroup(name: string, served: readonly string[]) {
  const versions = served.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function storedKind({ definition, gvk, dialect }: ServedResource) {
  const stored = definition.storedAs?.definition;
  if (!stored) return { ...gvk, version: definition.storedVersion ?? gvk.version };
  return {
    group: stored.group ?? groupOf(dialect, stored.groupStem ?? ''),
    version: stored.storedVersion ?? stored.version,
    kind: stored.kind,
  };
}

/** With group and version where they are not those of the resource. */
function subresourceKind(subresource: SubresourceNames, own: GroupVersionKind, dialect: Dialect) {
  // Discovery names no group of kinds that are but parameters.
  if ('relay' in subresource) return { kind: subresource.relay.kind };
  const other = kindOfSubresource(subresource);
  if (other === undefined) return { kind: own.kind };
  const { kind, groupStem, version } = other;
  const group = groupOf(dialect, groupStem);
  return group === own.group && version === own.version ? { kind } : { group, version, kind };
}

/** The verbs of a kind as they are listed: users' kinds may say an order. */
const inOrder = ({ definition, verbs }: ServedResource): readonly string[] =>
  definition.groupStem === undefined ? [...verbs] : [...verbs].sort();

function discovered(resource: ServedResource): object {
  const { definition, gvk, namespaced, dialect } = resource;
  const { plural, singular, shortNames, categories } = definition;
  const own = { group: '', version: '', kind: gvk.kind };
  const subs = Object.entries(subresourcesOf(definition))
    .map(([name, subresource]) => ({
      subresource: name,
      responseKind: { ...own, ...subresourceKind(subresource, gvk, dialect) },
      verbs: [...verbsOfSubresource(subresource)].sort(),
    }))
    .sort((a, b) => (a.subresource < b.subresource ? -1 : 1));
  return {
    resource: plural,
    responseKind: own,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: inOrder(resource),
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(subs.length > 0 ? { subresources: subs } : {}),
  };
}
