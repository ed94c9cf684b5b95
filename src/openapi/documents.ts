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
import { formV3, layoutV3 } from './v3.js';

/** What other servers say of the group versions that they have. One object for as long as nothing of it changes. */
export interface RemoteDescriptions {
  /** Documents in OpenAPI 2.0. */
  readonly v2: readonly JsonObject[];
  /** Where those in OpenAPI 3.0 are, by name. */
  readonly v3: ReadonlyMap<string, string>;
  /** Documents in OpenAPI 2.0 of servers that have no others, by the same names. */
  readonly onlyV2: ReadonlyMap<string, JsonObject>;
}

const NO_OTHERS: RemoteDescriptions = { v2: [], v3: new Map(), onlyV2: new Map() };

/** The documents of one snapshot, as far as they are made. */
interface SnapshotDocuments {
  /** What the whole ones were made with. */
  remote: RemoteDescriptions;
  readonly sources: ReadonlyMap<string, DocumentSource>;
  readonly made: Map<string, Promise<OpenApiDocument>>;
  /** The group versions of built-in kinds. */
  readonly builtIn: readonly GroupVersion[];
}

/** A document of a group version, and the built-in group versions that it lists. */
interface KeptDocument {
  readonly builtIn: string;
  readonly document: Promise<OpenApiDocument>;
}

/** The keys of what describes everything; no document in OpenAPI 3.0 has such a name. */
const WHOLE_V2 = ' v2';
const INDEX_V3 = ' v3';

/**
 * Describes what is served in OpenAPI 2.0 and 3.0. Documents are made when first asked for, of parts: those of a kind are kept as long
 * as it is served as it is, whatever else is installed. The document of a group version is kept as long as the group version stays the
 * same; the whole ones, as long as the registry does. Every method describes the registry as it is now, unless it is given another
 * snapshot, and gives way to other requests.
 */
export class OpenApiDocuments {
  readonly #registry: Pick<ResourceRegistry, 'current'>;
  readonly #version: string;
  readonly #remote: () => RemoteDescriptions;
  readonly #partsV2: DocumentParts;
  readonly #partsV3: DocumentParts;
  readonly #snapshots = new WeakMap<RegistrySnapshot, SnapshotDocuments>();
  readonly #kept = new WeakMap<GroupVersionResources, KeptDocument>();
  /** Those that are made of OpenAPI 2.0, by the document. */
  readonly #converted = new WeakMap<JsonObject, Promise<OpenApiDocument>>();

  /**
   * @param version of the API, as the documents show it. Default `v1.31.0`.
   * @param remote what other servers say. Default: there are none.
   * @param enums whether the values that fields of the server's own kinds may have are listed.
   */
  constructor(
    registry: Pick<ResourceRegistry, 'current'>,
    version = `v${RELEASE.major}.${RELEASE.minor}.0`,
    remote = () => NO_OTHERS,
    enums = true,
  ) {
    this.#registry = registry;
    this.#version = version;
    this.#remote = remote;
    const { dialect } = registry.current;
    this.#partsV2 = new DocumentParts(formV2, dialect, enums);
    this.#partsV3 = new DocumentParts(formV3, dialect, enums);
  }

  /** Whether another server has the part in OpenAPI 3.0 of this name. */
  isRemote(name: string): boolean {
    return this.#remote().v3.has(name);
  }

  /** The whole document in OpenAPI 2.0. @param now milliseconds since the epoch */
  v2(now: number, registry: RegistrySnapshot = this.#registry.current): Promise<OpenApiDocument> {
    const documents = this.#of(registry);
    return keep(documents.made, WHOLE_V2, () => this.#makeV2(registry, documents, now));
  }

  /** A part in OpenAPI 3.0 by its name, `apis/apps/v1`; undefined when nothing of that name is served. */
  v3(
    name: string,
    now: number,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<OpenApiDocument> | undefined {
    const documents = this.#of(registry);
    const far = documents.remote.onlyV2.get(name);
    if (far) return this.#convert(far, now);
    const source = documents.sources.get(name);
    if (!source) return undefined;
    const { builtIn } = documents;
    const make = (listed: readonly GroupVersion[]) => this.#makeV3(registry, source, listed, now);
    const { groupVersion } = source;
    if (!groupVersion) return keep(documents.made, name, () => make(builtIn));
    // What is shared lists the built-in group versions and the document's own, so that other groups may come and go.
    const isBuiltIn = builtIn.some((each) => keyOf(each) === keyOf(groupVersion));
    const key = builtIn.map(keyOf).join();
    let kept = this.#kept.get(groupVersion);
    if (kept?.builtIn !== key) {
      const made = { builtIn: key, document: make(isBuiltIn ? builtIn : [...builtIn, groupVersion]) };
      kept = made;
      this.#kept.set(groupVersion, made);
      made.document.catch(() => this.#kept.get(groupVersion) === made && this.#kept.delete(groupVersion));
    }
    return kept.document;
  }

  /** The list of the parts in OpenAPI 3.0. @param urlOf where a part is found, by its name and its hash */
  index(
    now: number,
    urlOf: (name: string, hash: string) => string,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<OpenApiDocument> {
    const { sources, made, remote } = this.#of(registry);
    return keep(made, INDEX_V3, async () => {
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

  #of(registry: RegistrySnapshot): SnapshotDocuments {
    let documents = this.#snapshots.get(registry);
    if (!documents) {
      const builtIn = groupVersionsOf(registry).filter(({ builtIn: ofDialect }) => ofDialect);
      documents = { sources: documentSources(registry), made: new Map(), builtIn, remote: this.#remote() };
      this.#snapshots.set(registry, documents);
    }
    const remote = this.#remote();
    if (documents.remote !== remote) {
      documents.remote = remote;
      documents.made.delete(WHOLE_V2);
      documents.made.delete(INDEX_V3);
    }
    return documents;
  }

  async #makeV2(
    registry: RegistrySnapshot,
    { sources, remote }: SnapshotDocuments,
    now: number,
  ): Promise<OpenApiDocument> {
    await Promise.all(Array.from(sources.values(), (source) => source.loading?.()));
    const { dialect } = registry;
    // Users' kinds are named after their group: what may have a name of the server's own gives way to it.
    const isApart = ({ groupVersion }: DocumentSource) =>
      groupVersion?.builtIn === false && hasOwnNames(groupVersion.group, dialect);
    const all = [...sources.values()];
    const listed = groupVersionsOf(registry);
    const whole = await this.#partsV2.sections(
      all.filter((source) => !isApart(source)),
      listed,
    );
    for (const source of all.filter(isApart))
      await mergeSections(whole, await this.#partsV2.sections([source], listed));
    for (const other of remote.v2) await mergeSections(whole, await otherSections(other, whole.paths));
    return OpenApiDocument.of(layoutV2(whole, dialect, this.#version), messageV2, now);
  }

  async #makeV3(
    { dialect }: RegistrySnapshot,
    source: DocumentSource,
    listed: readonly GroupVersion[],
    now: number,
  ): Promise<OpenApiDocument> {
    await source.loading?.();
    const sections = await this.#partsV3.sections([source], listed);
    return OpenApiDocument.of(layoutV3(sections, dialect, this.#version), messageV3, now);
  }

  #convert(document: JsonObject, now: number): Promise<OpenApiDocument> {
    let made = this.#converted.get(document);
    if (!made)
      this.#converted.set(
        document,
        (made = convertOpenApiV2(document).then((layout) => OpenApiDocument.of(layout, messageV3, now))),
      );
    return made;
  }
}

const keyOf = ({ group, version }: GroupVersion): string => `${group}/${version}`;

/** All group versions: groups in the order of their installation, the preferred version of each first. */
function groupVersionsOf(registry: RegistrySnapshot): readonly GroupVersionResources[] {
  return [...registry.groups].flatMap(([group, versions]) =>
    versions.flatMap((version) => registry.groupVersion(group, version) ?? []),
  );
}

function keep(
  made: Map<string, Promise<OpenApiDocument>>,
  key: string,
  make: () => Promise<OpenApiDocument>,
): Promise<OpenApiDocument> {
  const before = made.get(key);
  if (before) return before;
  const document = make();
  made.set(key, document);
  // What could not be made is tried again by the next who asks.
  document.catch(() => made.get(key) === document && made.delete(key));
  return document;
}
