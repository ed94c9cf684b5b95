import { type Dialect, groupOf } from '../meta/dialect.js';
import { formatGroupVersion, type GroupVersionKind } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { kindOfSubresource, verbsOfSubresource } from '../registry/definitions/subresource.js';
import type { Subresource } from '../registry/resource-definition.js';
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

/** A discovery document with its ETag and its encoded forms. */
export interface TaggedDocument {
  readonly document: TypedObject;
  /** The encoded forms by format. They are cached because the document does not change. */
  readonly encodings: Map<Format, Chunks>;
  /** The ETag: upper-case hexadecimal SHA-512 in quotes. */
  readonly etag: string;
}

/**
 * Describes the served groups, versions and resources (spec 10.1, 10.2). The resource list of a group version is built when it is first
 * requested and cached until the group version changes.
 */
export class DiscoveryDocuments {
  /** Returns the groups that discovery lists, including those of aggregated API servers. */
  readonly served: (registry: RegistrySnapshot) => ServedGroups;
  readonly #withHashes: boolean;
  readonly #hashes = new Map<string, Promise<string>>();
  readonly #lists = new WeakMap<GroupVersionResources, Promise<object>>();
  readonly #discovered = new WeakMap<GroupVersionResources, readonly object[]>();
  readonly #aggregated = new WeakMap<ServedGroups, Map<string, Promise<TaggedDocument>>>();

  /**
   * @param groupsOf returns the groups to list, in order. Default: those of the registry.
   * @param withHashes whether resources have a `storageVersionHash`. Default true.
   */
  constructor(groupsOf = ownGroups, withHashes = true) {
    this.served = groupsOf;
    this.#withHashes = withHashes;
  }

  /** Returns the document of /apis. */
  groupList(registry: RegistrySnapshot): object {
    const named = [...this.served(registry).listed].filter(([group]) => group !== '');
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: named.map(([name, versions]) => describeGroup(name, versions)),
    };
  }

  /** Returns the document of /apis/<group>; undefined when the group is not served. */
  group(name: string, registry: RegistrySnapshot): object | undefined {
    // `listed` does not contain every served group, so other groups are looked up in the registry.
    const versions = name === '' ? undefined : (this.served(registry).listed.get(name) ?? registry.groups.get(name));
    return versions && { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(name, versions) };
  }

  /** Returns the document of /api/<version> or /apis/<group>/<version>; undefined when the group version is not served. */
  resourceList(group: string, version: string, registry: RegistrySnapshot): Promise<object> | undefined {
    const resources = registry.groupVersion(group, version);
    if (!resources) return undefined;
    let cachedList = this.#lists.get(resources);
    if (!cachedList) this.#lists.set(resources, (cachedList = this.#resourceList(resources)));
    return cachedList;
  }

  async #resourceList({ group, version, stores, builtIn }: GroupVersionResources): Promise<object> {
    const lists = await Promise.all(stores.map((store) => this.#apiResources(store.resource)));
    // Only built-in resources are sorted by name. The subresources of custom resources keep the order of their definitions.
    const resources = builtIn ? lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1)) : lists.flat();
    const groupVersion = formatGroupVersion({ group, version });
    return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources };
  }

  /** Returns the aggregated discovery document of /api or /apis. */
  aggregated(root: 'api' | 'apis', version: 'v2' | 'v2beta1', registry: RegistrySnapshot): Promise<TaggedDocument> {
    const key = `${root} ${version}`;
    const served = this.served(registry);
    let documents = this.#aggregated.get(served);
    if (!documents) this.#aggregated.set(served, (documents = new Map()));
    let cachedDocument = documents.get(key);
    if (!cachedDocument) documents.set(key, (cachedDocument = this.#aggregate(root, version, registry, served)));
    return cachedDocument;
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
          const remoteVersion = remote.get(`${group}/${each}`);
          const resources = remoteVersion?.resources ?? this.#discover(registry.groupVersion(group, each));
          // The resources of an aggregated API server that has never responded are unknown. The document therefore omits them instead of
          // listing none.
          const known = remoteVersion && resources.length === 0 ? {} : { resources };
          return { version: each, ...known, freshness: remoteVersion?.fresh === false ? 'Stale' : 'Current' };
        }),
      })),
    };
    // The ETag does not depend on the apiVersion of the document, so v2 and v2beta1 share it.
    const { kind: _kind, apiVersion: _version, ...versionless } = document;
    return { document, encodings: new Map(), etag: `"${await sha512(encodeJson(versionless))}"` };
  }

  #discover(resources: GroupVersionResources | undefined): readonly object[] {
    if (!resources) return [];
    let cachedResources = this.#discovered.get(resources);
    if (!cachedResources)
      this.#discovered.set(resources, (cachedResources = resources.stores.map((store) => discoveryOf(store.resource))));
    return cachedResources;
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
    const subs = Object.entries(definition.subresources ?? {}).map(
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

  /** Returns the first eight bytes, in base64, of a SHA-256 over the group, version and kind under which objects are stored. */
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

/**
 * Returns the kind that discovery lists for a subresource. The group and version are included only if they differ from those of the
 * resource (`own`).
 */
function subresourceKind(subresource: Subresource<ApiObject>, own: GroupVersionKind, dialect: Dialect) {
  // Discovery lists the options kind of a connect subresource (such as PodExecOptions) without its group and version.
  if ('relay' in subresource) return { kind: subresource.relay.kind };
  const other = kindOfSubresource(subresource);
  if (other === undefined) return { kind: own.kind };
  const { kind, groupStem, version } = other;
  const group = groupOf(dialect, groupStem);
  return group === own.group && version === own.version ? { kind } : { group, version, kind };
}

const isCustom = ({ definition }: ServedResource): boolean => definition.groupStem === undefined;

/** Returns the verbs in the order in which discovery lists them: sorted for built-in kinds, unchanged for custom resources. */
const inOrder = (resource: ServedResource): readonly string[] =>
  isCustom(resource) ? (resource.definition.listedVerbs?.() ?? [...resource.verbs]) : [...resource.verbs].sort();

function discoveryOf(resource: ServedResource): object {
  const { definition, gvk, namespaced, dialect } = resource;
  const { plural, singular, shortNames, categories } = definition;
  // Upstream leaves out the group and the version of built-in kinds, and sorts their subresources.
  const { group, version, kind } = isCustom(resource) ? gvk : { group: '', version: '', kind: gvk.kind };
  const own = { group, version, kind };
  const subs = Object.entries(definition.subresources ?? {}).map(([name, subresource]) => ({
    subresource: name,
    responseKind: { ...own, ...subresourceKind(subresource, gvk, dialect) },
    verbs: [...verbsOfSubresource(subresource)].sort(),
  }));
  if (!isCustom(resource)) subs.sort((a, b) => (a.subresource < b.subresource ? -1 : 1));
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
