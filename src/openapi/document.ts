import type { Chunks } from '../serialization/format.js';
import { encodeText } from '../serialization/json/encode.js';
import { sha512 } from '../signatures/digest.js';
import { encodeLayout, hashOf, type Layout } from './layout.js';

/** A document in one encoding. */
export interface EncodedDocument {
  /** Most are shared with other documents. One frozen list as long as the document is kept. */
  readonly chunks: Chunks;
  /** Upper-case hexadecimal SHA-512, another one when the document says something else. */
  readonly hash: string;
  /** Milliseconds since the epoch: when it was made. */
  readonly made: number;
}

/** How documents are written as protobuf. */
export interface MessageEncoding {
  encode(layout: Layout): Promise<Chunks>;
  /** Whether the message has the tag of the JSON, as one URL with a hash in it names both. */
  readonly hasTagOfJson: boolean;
}

/** A document: the encodings that are asked for are made once. */
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

  /** @param made milliseconds since the epoch */
  static async of(layout: Layout, encoding: MessageEncoding, made: number): Promise<OpenApiDocument> {
    const hash = await hashOf(layout);
    return new OpenApiDocument(layout, encoding, { chunks: encodeLayout(layout), hash, made });
  }

  /** The same as protobuf. */
  message(): Promise<EncodedDocument> {
    return (this.#message ??= this.#encode());
  }

  async #encode(): Promise<EncodedDocument> {
    const { hash, made } = this.json;
    const { encode, hasTagOfJson } = this.#encoding;
    const chunks = Object.freeze(await encode(this.#layout));
    return { chunks, hash: hasTagOfJson ? hash : await sha512(encodeText(`protobuf ${hash}`)), made };
  }
}
