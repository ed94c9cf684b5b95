import { RELEASE } from '../discovery/version.js';
import type { JsonObject } from '../json/value.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { GroupVersionResources, RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import { type DocumentSource, documentSources } from './contents.js';
import { convertOpenApiV2 } from './convert-v2.js';
import { OpenApiDocument } from './document.js';
import { DocumentParts } from './document-parts.js';
import { entryOf } from './entry.js';
import { mergeSections, otherSections } from './merge-v2.js';
import { hasOwnNames } from './names.js';
import { messageV2 } from './protobuf-v2.js';
import { messageV3 } from './protobuf-v3.js';
import { formV2, layoutV2 } from './v2.js';
import { customInfo, formV3, layoutV3 } from './v3.js';

/** The OpenAPI documents of aggregated API servers. The object is replaced when anything in it changes. */
export interface RemoteDescriptions {
  /** OpenAPI 2.0 documents. */
  readonly v2: readonly JsonObject[];
  /** URLs of OpenAPI 3.0 documents, by document name. */
  readonly v3: ReadonlyMap<string, string>;
  /**
   * OpenAPI 2.0 documents of servers without OpenAPI 3.0, by the document name (such as `apis/apps/v1`) under which they are served as
   * OpenAPI 3.0.
   */
  readonly onlyV2: ReadonlyMap<string, JsonObject>;
}

const NO_OTHERS: RemoteDescriptions = { v2: [], v3: new Map(), onlyV2: new Map() };

/** The documents that have been built for one snapshot of the registry. */
interface SnapshotDocuments {
  /** The documents of aggregated API servers that are merged into the whole OpenAPI 2.0 document and the OpenAPI 3.0 index. */
  remote: RemoteDescriptions;
  readonly sources: ReadonlyMap<string, DocumentSource>;
  readonly documents: Map<string, Promise<OpenApiDocument>>;
  /** The group versions of built-in kinds. */
  readonly builtIn: readonly GroupVersion[];
}

/** The cached document of a group version, and the built-in group versions that its shared schemas declare. */
interface CachedDocument {
  readonly builtIn: string;
  readonly document: Promise<OpenApiDocument>;
}

/**
 * Cache keys of the whole OpenAPI 2.0 document and of the OpenAPI 3.0 index. The space keeps them apart from names of OpenAPI 3.0
 * documents.
 */
const WHOLE_V2 = ' v2';
const INDEX_V3 = ' v3';

/** The version of the API, as documents state it. */
const API_VERSION = `v${RELEASE.major}.${RELEASE.minor}.0`;

/**
 * Describes the served API in OpenAPI 2.0 and 3.0. Documents are assembled from cached JSON when they are first requested. The paths and
 * schemas of a kind are cached until that kind changes, the document of a group version until that group version changes, and the documents
 * that cover all groups until the registry or an aggregated API server changes. Every method describes the current registry unless a
 * snapshot is given, and yields to other requests.
 */
export class OpenApiDocuments {
  readonly #registry: Pick<ResourceRegistry, 'current'>;
  readonly #remote: () => RemoteDescriptions;
  readonly #partsV2: DocumentParts;
  readonly #partsV3: DocumentParts;
  readonly #snapshots = new WeakMap<RegistrySnapshot, SnapshotDocuments>();
  readonly #cachedByResources = new WeakMap<GroupVersionResources, CachedDocument>();
  /** Documents that were converted to OpenAPI 3.0, by their OpenAPI 2.0 source. */
  readonly #converted = new WeakMap<JsonObject, Promise<OpenApiDocument>>();

  /**
   * @param remote returns the documents of aggregated API servers. Default: none.
   * @param enums whether the documents list the allowed values of enumerated fields of built-in kinds.
   */
  constructor(registry: Pick<ResourceRegistry, 'current'>, remote = () => NO_OTHERS, enums = true) {
    this.#registry = registry;
    this.#remote = remote;
    const { dialect } = registry.current;
    this.#partsV2 = new DocumentParts(formV2, dialect, enums);
    this.#partsV3 = new DocumentParts(formV3, dialect, enums);
  }

  /** Returns whether an aggregated API server provides the OpenAPI 3.0 document of this name. */
  isRemote(name: string): boolean {
    return this.#remote().v3.has(name);
  }

  /** Returns the whole OpenAPI 2.0 document. @param now milliseconds since the epoch */
  v2(now: number, registry: RegistrySnapshot = this.#registry.current): Promise<OpenApiDocument> {
    const documents = this.#documentsOf(registry);
    return cacheUntilRejected(documents.documents, WHOLE_V2, () => this.#makeV2(registry, documents, now));
  }

  /** Returns an OpenAPI 3.0 document by its name, such as `apis/apps/v1`; undefined when there is no document of that name. */
  v3(
    name: string,
    now: number,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<OpenApiDocument> | undefined {
    const documents = this.#documentsOf(registry);
    const v2Only = documents.remote.onlyV2.get(name);
    if (v2Only) return this.#convert(v2Only, now);
    const source = documents.sources.get(name);
    if (!source) return undefined;
    const { builtIn } = documents;
    const make = (listed: readonly GroupVersion[]) => this.#makeV3(registry, source, listed, now);
    const { groupVersion } = source;
    if (!groupVersion) return cacheUntilRejected(documents.documents, name, () => make(builtIn));
    // Shared schemas declare the built-in group versions and the group version of the document. So changes of other groups do not change
    // the document.
    const isBuiltIn = builtIn.some((each) => keyOf(each) === keyOf(groupVersion));
    const key = builtIn.map(keyOf).join();
    let kept = this.#cachedByResources.get(groupVersion);
    if (kept?.builtIn !== key) {
      const cached = { builtIn: key, document: make(isBuiltIn ? builtIn : [...builtIn, groupVersion]) };
      kept = cached;
      this.#cachedByResources.set(groupVersion, cached);
      cached.document.catch(
        () => this.#cachedByResources.get(groupVersion) === cached && this.#cachedByResources.delete(groupVersion),
      );
    }
    return kept.document;
  }

  /** Returns the index of the OpenAPI 3.0 documents. @param urlOf returns the URL of a document by its name and hash */
  index(
    now: number,
    urlOf: (name: string, hash: string) => string,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<OpenApiDocument> {
    const { sources, documents, remote } = this.#documentsOf(registry);
    return cacheUntilRejected(documents, INDEX_V3, async () => {
      const urls = new Map<string, string>();
      for (const name of [...sources.keys(), ...remote.onlyV2.keys()]) {
        const document = await this.v3(name, now, registry);
        if (document) urls.set(name, urlOf(name, document.json.hash));
      }
      for (const [name, url] of remote.v3) urls.set(name, url);
      const names = [...urls].sort(([a], [b]) => (a < b ? -1 : 1));
      const entries = names.map(([name, url]) => entryOf(name, { serverRelativeURL: url }));
      return OpenApiDocument.of([{ name: 'paths', entries }], messageV3, now);
    });
  }

  #documentsOf(registry: RegistrySnapshot): SnapshotDocuments {
    let documents = this.#snapshots.get(registry);
    if (!documents) {
      const builtIn = groupVersionsOf(registry).filter(({ builtIn: ofDialect }) => ofDialect);
      documents = { sources: documentSources(registry), documents: new Map(), builtIn, remote: this.#remote() };
      this.#snapshots.set(registry, documents);
    }
    const remote = this.#remote();
    if (documents.remote !== remote) {
      documents.remote = remote;
      documents.documents.delete(WHOLE_V2);
      documents.documents.delete(INDEX_V3);
    }
    return documents;
  }

  async #makeV2(
    registry: RegistrySnapshot,
    { sources, remote }: SnapshotDocuments,
    now: number,
  ): Promise<OpenApiDocument> {
    const { dialect } = registry;
    // Definitions of custom resources are named after their group. If such a name could collide with a built-in one, the definitions are
    // merged last, and a definition whose name is taken is renamed.
    const isUsersKind = ({ groupVersion }: DocumentSource) =>
      groupVersion?.builtIn === false && hasOwnNames(groupVersion.group, dialect);
    const all = [...sources.values()];
    const listed = groupVersionsOf(registry);
    const whole = await this.#partsV2.sections(
      all.filter((source) => !isUsersKind(source)),
      listed,
    );
    for (const source of all.filter(isUsersKind))
      await mergeSections(whole, await this.#partsV2.sections([source], listed));
    for (const other of remote.v2) await mergeSections(whole, await otherSections(other, whole.paths));
    return OpenApiDocument.of(layoutV2(whole, dialect, API_VERSION), messageV2, now);
  }

  async #makeV3(
    { dialect }: RegistrySnapshot,
    source: DocumentSource,
    listed: readonly GroupVersion[],
    now: number,
  ): Promise<OpenApiDocument> {
    const sections = await this.#partsV3.sections([source], listed);
    const isCustom = source.groupVersion?.builtIn === false;
    const info = isCustom ? customInfo(dialect) : { title: dialect.apiTitle, version: API_VERSION };
    return OpenApiDocument.of(layoutV3(sections, info, isCustom), messageV3, now);
  }

  #convert(document: JsonObject, now: number): Promise<OpenApiDocument> {
    let converted = this.#converted.get(document);
    if (!converted)
      this.#converted.set(
        document,
        (converted = convertOpenApiV2(document).then((layout) => OpenApiDocument.of(layout, messageV3, now))),
      );
    return converted;
  }
}

const keyOf = ({ group, version }: GroupVersion): string => `${group}/${version}`;

/** Returns all group versions. Groups are in the order of their installation, and the preferred version of each group comes first. */
function groupVersionsOf(registry: RegistrySnapshot): readonly GroupVersionResources[] {
  return [...registry.groups].flatMap(([group, versions]) =>
    versions.flatMap((version) => registry.groupVersion(group, version) ?? []),
  );
}

function cacheUntilRejected(
  documents: Map<string, Promise<OpenApiDocument>>,
  key: string,
  make: () => Promise<OpenApiDocument>,
): Promise<OpenApiDocument> {
  const before = documents.get(key);
  if (before) return before;
  const document = make();
  documents.set(key, document);
  // A failure is not cached, so the next request tries again.
  document.catch(() => documents.get(key) === document && documents.delete(key));
  return document;
}
