import type { Chunks } from '../serialization/format.js';
import { encodeText } from '../serialization/json/encode.js';
import { sha512 } from '../signatures/digest.js';
import { encodeLayout, hashOf, type Layout } from './layout.js';

/** A document in one encoding. */
export interface EncodedDocument {
  /**
   * The encoded document in chunks, most of which are shared with other documents. The list is frozen and stays the same as long as the
   * document is cached.
   */
  readonly chunks: Chunks;
  /** Upper-case hexadecimal SHA-512 that identifies the content of the document. */
  readonly hash: string;
  /** When the document was created, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** How documents are encoded as protobuf. */
export interface MessageEncoding {
  encode(layout: Layout): Promise<Chunks>;
  /**
   * Whether the protobuf encoding has the same hash as the JSON encoding. This is so for OpenAPI 3.0, where one URL, which contains the
   * hash, serves both encodings.
   */
  readonly hasTagOfJson: boolean;
}

/** A document that caches its encodings. The protobuf form is computed when it is first requested. */
export class OpenApiDocument {
  readonly json: EncodedDocument;
  readonly #layout: Layout;
  readonly #encoding: MessageEncoding;
  #message: Promise<EncodedDocument> | undefined;

  private constructor(layout: Layout, encoding: MessageEncoding, json: EncodedDocument) {
    this.#layout = layout;
    this.#encoding = encoding;
    this.json = json;
  }

  /** Creates a document. @param createdAt milliseconds since the epoch */
  static async of(layout: Layout, encoding: MessageEncoding, createdAt: number): Promise<OpenApiDocument> {
    const hash = await hashOf(layout);
    return new OpenApiDocument(layout, encoding, { chunks: encodeLayout(layout), hash, createdAt });
  }

  /** Returns the document encoded as protobuf. */
  message(): Promise<EncodedDocument> {
    return (this.#message ??= this.#encode());
  }

  async #encode(): Promise<EncodedDocument> {
    const { hash, createdAt } = this.json;
    const { encode, hasTagOfJson } = this.#encoding;
    const chunks = Object.freeze(await encode(this.#layout));
    return { chunks, hash: hasTagOfJson ? hash : await sha512(encodeText(`protobuf ${hash}`)), createdAt };
  }
}
