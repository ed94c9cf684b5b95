import { RELEASE } from '../discovery/version.js';
import type { JsonObject } from '../json/value.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { GroupVersionResources, RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import { encodeJson } from '../serialization/json/encode.js';
import { sha512 } from '../signatures/digest.js';
import { type DocumentSource, documentSources } from './contents.js';
import { convertOpenApiV2 } from './convert-v2.js';
import { mergeOpenApiV2 } from './merge-v2.js';
import { hasOwnNames } from './names.js';
import { encodeOpenApiV2 } from './protobuf-v2.js';
import { encodeOpenApiV3 } from './protobuf-v3.js';
import { openApiV2 } from './v2.js';
import { openApiV3 } from './v3.js';

/** A document in one encoding. */
export interface EncodedDocument {
  readonly body: Uint8Array;
  /** Upper-case hexadecimal SHA-512 of the document. */
  readonly hash: string;
  /** Milliseconds since the epoch: when it was made. */
  readonly made: number;
}

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
  readonly made: Map<string, Promise<EncodedDocument>>;
  /** The group versions of built-in kinds. */
  readonly builtIn: readonly GroupVersion[];
}

/** A document of a group version, and the built-in group versions that it lists. */
interface KeptDocument {
  readonly builtIn: string;
  readonly document: Promise<EncodedDocument>;
}

/**
 * Describes what is served in OpenAPI 2.0 and 3.0. Documents are made when first asked for. The document of a group version
 * is kept as long as the group version stays the same, whatever else is installed; the whole ones, as long as the registry
 * does. Every method describes the registry as it is now, unless it is given another snapshot.
 */
export class OpenApiDocuments {
  readonly #registry: Pick<ResourceRegistry, 'current'>;
  readonly #version: string;
  readonly #enums: boolean;
  readonly #remote: () => RemoteDescriptions;
  readonly #snapshots = new WeakMap<RegistrySnapshot, SnapshotDocuments>();
  readonly #kept = new WeakMap<GroupVersionResources, KeptDocument>();
  /** Those that are made of OpenAPI 2.0, by the document. */
  readonly #ofV2 = new WeakMap<JsonObject, Promise<EncodedDocument>>();
  /** Parts in OpenAPI 3.0 as protobuf, by the part as JSON. */
  readonly #messages = new WeakMap<EncodedDocument, EncodedDocument>();

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
    this.#enums = enums;
    this.#registry = registry;
    this.#version = version;
    this.#remote = remote;
  }

  /** Whether another server has the part in OpenAPI 3.0 of this name. */
  isRemote(name: string): boolean {
    return this.#remote().v3.has(name);
  }

  /** The whole document in OpenAPI 2.0. @param now milliseconds since the epoch */
  v2(
    encoding: 'json' | 'protobuf',
    now: number,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<EncodedDocument> {
    const documents = this.#of(registry);
    const encode = encoding === 'json' ? encodeJson : encodeOpenApiV2;
    return keep(documents.made, `v2 ${encoding}`, () =>
      encoded(now, async () => encode(await this.#wholeV2(registry, documents))),
    );
  }

  /** A part in OpenAPI 3.0 by its name, `apis/apps/v1`; undefined when nothing of that name is served. */
  v3(
    name: string,
    now: number,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<EncodedDocument> | undefined {
    const documents = this.#of(registry);
    const far = documents.remote.onlyV2.get(name);
    if (far) return this.#converted(far, now);
    const source = documents.sources.get(name);
    if (!source) return undefined;
    const { builtIn } = documents;
    const make = (listed: readonly GroupVersion[]) =>
      encoded(now, async () => {
        await source.loading?.();
        return encodeJson(openApiV3(source.contents(), listed, registry.dialect, this.#version, this.#enums));
      });
    const { groupVersion } = source;
    if (!groupVersion) return keep(documents.made, `v3 ${name}`, () => make(builtIn));
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

  /** The same as protobuf. Its tag and its time are those of the JSON: one URL names both (spec 10.6). */
  async v3Message(
    name: string,
    now: number,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<EncodedDocument | undefined> {
    const document = await this.v3(name, now, registry);
    if (!document) return undefined;
    let message = this.#messages.get(document);
    if (!message) {
      const body = encodeOpenApiV3(JSON.parse(new TextDecoder().decode(document.body)) as JsonObject); // our own text
      this.#messages.set(document, (message = { ...document, body }));
    }
    return message;
  }

  /** The list of the parts in OpenAPI 3.0. @param urlOf where a part is found, by its name and its hash */
  index(
    now: number,
    urlOf: (name: string, hash: string) => string,
    registry: RegistrySnapshot = this.#registry.current,
  ): Promise<EncodedDocument> {
    const { sources, made, remote } = this.#of(registry);
    return keep(made, 'v3', () =>
      encoded(now, async () => {
        const paths: Record<string, JsonObject> = {};
        // One after the other: other requests get their turn between them.
        for (const name of sources.keys()) {
          const document = await this.v3(name, now, registry);
          if (document) paths[name] = { serverRelativeURL: urlOf(name, document.hash) };
        }
        if (remote.v3.size === 0 && remote.onlyV2.size === 0) return encodeJson({ paths });
        for (const [name, url] of remote.v3) paths[name] = { serverRelativeURL: url };
        for (const [name, document] of remote.onlyV2) {
          const { hash } = await this.#converted(document, now);
          paths[name] = { serverRelativeURL: urlOf(name, hash) };
        }
        return encodeJson({ paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) });
      }),
    );
  }

  #converted(document: JsonObject, now: number): Promise<EncodedDocument> {
    let made = this.#ofV2.get(document);
    if (!made) this.#ofV2.set(document, (made = encoded(now, () => encodeJson(convertOpenApiV2(document)))));
    return made;
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
      for (const whole of ['v2 json', 'v2 protobuf', 'v3']) documents.made.delete(whole);
    }
    return documents;
  }

  async #wholeV2(registry: RegistrySnapshot, { sources, remote }: SnapshotDocuments): Promise<JsonObject> {
    await Promise.all(Array.from(sources.values(), (source) => source.loading?.()));
    const { dialect } = registry;
    const whole = (some: readonly DocumentSource[]) =>
      openApiV2(
        some.map((source) => source.contents()),
        groupVersionsOf(registry),
        dialect,
        this.#version,
        this.#enums,
      );
    // Users' kinds are named after their group: what may have a name of the server's own gives way to it.
    const isApart = ({ groupVersion }: DocumentSource) =>
      groupVersion?.builtIn === false && hasOwnNames(groupVersion.group, dialect);
    const all = [...sources.values()];
    const apart = all.filter(isApart).map((source) => whole([source]));
    return mergeOpenApiV2(whole(all.filter((source) => !isApart(source))), [...apart, ...remote.v2]);
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
  made: Map<string, Promise<EncodedDocument>>,
  key: string,
  make: () => Promise<EncodedDocument>,
): Promise<EncodedDocument> {
  const before = made.get(key);
  if (before) return before;
  const document = make();
  made.set(key, document);
  // What could not be made is tried again by the next who asks.
  document.catch(() => made.get(key) === document && made.delete(key));
  return document;
}

async function encoded(made: number, encode: () => Uint8Array | Promise<Uint8Array>): Promise<EncodedDocument> {
  const body = await encode();
  return { body, hash: await sha512(body), made };
}
