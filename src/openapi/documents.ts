import { RELEASE } from '../discovery/version.js';
import type { JsonObject } from '../json/value.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { encodeJson } from '../serialization/json/encode.js';
import { sha512 } from '../signatures/digest.js';
import { type DocumentContents, documentContents } from './contents.js';
import { encodeOpenApiV2 } from './protobuf.js';
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

/** Describes what is served in OpenAPI 2.0 and 3.0. Documents are made when first asked for, and kept. */
export class OpenApiDocuments {
  readonly #registry: ResourceRegistry;
  readonly #version: string;
  #contents: ReadonlyMap<string, () => DocumentContents> | undefined;
  readonly #made = new Map<string, Promise<EncodedDocument>>();

  /** @param version of the API, as the documents show it. Default `v1.31.0`. */
  constructor(registry: ResourceRegistry, version = `v${RELEASE.major}.${RELEASE.minor}.0`) {
    this.#registry = registry;
    this.#version = version;
  }

  /** The whole document in OpenAPI 2.0. @param now milliseconds since the epoch */
  v2(encoding: 'json' | 'protobuf', now: number): Promise<EncodedDocument> {
    const encode = encoding === 'json' ? encodeJson : encodeOpenApiV2;
    return this.#make(`v2 ${encoding}`, now, () => encode(this.#documentV2()));
  }

  /** A part in OpenAPI 3.0 by its name, `apis/apps/v1`; undefined when nothing of that name is served. */
  v3(name: string, now: number): Promise<EncodedDocument> | undefined {
    const contents = this.#documents().get(name);
    if (!contents) return undefined;
    const { dialect } = this.#registry;
    return this.#make(`v3 ${name}`, now, () => encodeJson(openApiV3(contents(), dialect, this.#version)));
  }

  /** The list of the parts in OpenAPI 3.0. @param urlOf where a part is found, by its name and its hash */
  index(now: number, urlOf: (name: string, hash: string) => string): Promise<EncodedDocument> {
    return this.#make('v3', now, async () => {
      const paths: Record<string, JsonObject> = {};
      // One after the other: other requests get their turn between them.
      for (const name of this.#documents().keys()) {
        const document = await this.v3(name, now);
        if (document) paths[name] = { serverRelativeURL: urlOf(name, document.hash) };
      }
      return encodeJson({ paths });
    });
  }

  #documents(): ReadonlyMap<string, () => DocumentContents> {
    this.#contents ??= documentContents(this.#registry);
    return this.#contents;
  }

  #documentV2(): JsonObject {
    const contents = [...this.#documents().values()].map((make) => make());
    return openApiV2(contents, this.#registry.dialect, this.#version);
  }

  #make(key: string, made: number, encode: () => Uint8Array | Promise<Uint8Array>): Promise<EncodedDocument> {
    const known = this.#made.get(key);
    if (known) return known;
    const document = (async () => {
      const body = await encode();
      return { body, hash: await sha512(body), made };
    })();
    this.#made.set(key, document);
    return document;
  }
}
