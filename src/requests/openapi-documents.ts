import { sha512 } from '../meta/digest.js';
import type { JsonObject } from '../meta/json.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { encodeJson } from '../serialization/json-encode.js';
import type { Exchange } from './exchange.js';
import { acceptedType, conditionalResult, type EncodedDocument, emptyResult, httpDate } from './openapi-answer.js';
import { type DocumentContents, documentContents } from './openapi-contents.js';
import { encodeOpenApiV2 } from './openapi-protobuf.js';
import { openApiV2 } from './openapi-v2.js';
import { openApiV3 } from './openapi-v3.js';
import type { Result } from './result.js';
import { RELEASE } from './version.js';

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const OLD_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const INDEX = '/openapi/v3';
const YEAR = 365 * 24 * 3600 * 1000;

/** Describes what is served in OpenAPI 2.0 and 3.0 (gap file 4.14). Documents are made when first asked for, and kept. */
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

  /** What `GET /` lists of these paths. */
  paths(): string[] {
    return ['/openapi/v2', INDEX, `${INDEX}/`];
  }

  /** Answers paths under `/openapi/`, whatever the method; undefined when nothing is there. */
  async answer(exchange: Exchange): Promise<Result | undefined> {
    const { path } = exchange;
    if (path === '/openapi/v2') return this.#answerV2(exchange);
    if (path === INDEX) return this.#answerIndex(exchange);
    if (path.startsWith(`${INDEX}/`)) return this.#answerV3(exchange, path.slice(INDEX.length + 1));
    return undefined;
  }

  /** The one document that is not negotiated: it is sent as text. */
  async #answerIndex({ environment }: Exchange): Promise<Result> {
    const now = environment.clock.now();
    const index = await this.#make(INDEX, now, () => this.#index(now));
    return {
      type: 'raw',
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Last-Modified': httpDate(index.made) },
      body: index.body,
    };
  }

  async #answerV3({ request, query, environment }: Exchange, name: string): Promise<Result> {
    if (!this.#documents().has(name)) return emptyResult(404);
    const headers = { Vary: 'Accept' };
    if (acceptedType(request, [JSON_TYPE]) === undefined) return emptyResult(406, headers);
    const now = environment.clock.now();
    const document = await this.#makeV3(name, now);
    const hash = query.first('hash') ?? '';
    if (hash === '') return conditionalResult(request, document, JSON_TYPE, headers);
    if (hash !== document.hash)
      return emptyResult(301, { ...headers, ETag: `"${document.hash}"`, Location: documentUrl(name, document.hash) });
    return conditionalResult(request, document, JSON_TYPE, {
      ...headers,
      'Cache-Control': 'public, immutable',
      Expires: httpDate(now + YEAR),
    });
  }

  async #answerV2({ request, environment }: Exchange): Promise<Result> {
    const headers = { Vary: 'Accept' };
    const type = acceptedType(request, [JSON_TYPE, OLD_PROTOBUF_TYPE, PROTOBUF_TYPE]);
    if (type === undefined) return emptyResult(406, headers);
    const now = environment.clock.now();
    if (type === JSON_TYPE)
      return conditionalResult(
        request,
        await this.#make('v2 json', now, () => encodeJson(this.#documentV2())),
        JSON_TYPE,
        headers,
      );
    const document = await this.#make('v2 protobuf', now, () => encodeOpenApiV2(this.#documentV2()));
    return conditionalResult(request, document, PROTOBUF_TYPE, headers);
  }

  #documents(): ReadonlyMap<string, () => DocumentContents> {
    this.#contents ??= documentContents(this.#registry);
    return this.#contents;
  }

  #documentV2(): JsonObject {
    const contents = [...this.#documents().values()].map((make) => make());
    return openApiV2(contents, this.#registry.dialect, this.#version);
  }

  #makeV3(name: string, now: number): Promise<EncodedDocument> {
    return this.#make(`v3 ${name}`, now, () => {
      const contents = this.#documents().get(name)?.() ?? { paths: [], roots: [] };
      return encodeJson(openApiV3(contents, this.#registry.dialect, this.#version));
    });
  }

  async #index(now: number): Promise<Uint8Array> {
    const paths: Record<string, JsonObject> = {};
    // One after the other: other requests get their turn between them.
    for (const name of this.#documents().keys())
      paths[name] = { serverRelativeURL: documentUrl(name, (await this.#makeV3(name, now)).hash) };
    return encodeJson({ paths });
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

const documentUrl = (name: string, hash: string): string => `${INDEX}/${name}?hash=${hash}`;
