import type { ApiObject, ListMeta } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';
import type { EventStream } from '../registry/reads/resource-watch.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { Chunks } from '../serialization/format.js';
import { joinBytes } from '../values/join-bytes.js';
import type { ResponseBody } from './api-request.js';

/** The result of a handler before it is encoded. In-process callers receive it in this form. */
export type Result =
  | { readonly type: 'object'; readonly status: number; readonly object: ApiObject; readonly resource: ServedResource }
  | { readonly type: 'status'; readonly status: number; readonly object: Status }
  | {
      readonly type: 'list';
      readonly resource: ServedResource;
      readonly metadata: ListMeta;
      readonly items: readonly ApiObject[];
    }
  | { readonly type: 'watch'; readonly resource: ServedResource; readonly watch: EventStream }
  /** A document other than an API object, such as discovery, encoded in the negotiated form. */
  | { readonly type: 'document'; readonly document: object; readonly indented?: boolean }
  | RawResult
  /** The response of another server, streamed as it arrives. */
  | {
      readonly type: 'relayed';
      readonly status: number;
      readonly headers: Readonly<Record<string, readonly string[]>>;
      readonly body: ResponseBody;
    };

/** A response that is already encoded, such as health or OpenAPI. */
export interface RawResult {
  readonly type: 'raw';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The chunks in order. They must not be changed. If the array is frozen, several responses share it, and data derived from it may be
   * cached with the array as the key.
   */
  readonly body: Chunks;
  /** Whether the body may be sent compressed. */
  readonly gzip?: boolean;
}

/** The response to a create that succeeded but returns no object. */
export const DONE: Result = {
  type: 'status',
  status: 201,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** Returns the members of a list other than its items. */
export function listHead({ resource, metadata }: Extract<Result, { type: 'list' }>) {
  const { definition, apiVersion } = resource;
  return {
    kind: definition.listKind,
    apiVersion,
    metadata: definition.decoding === 'typed' ? metadata : customListMeta(metadata),
  };
}

/**
 * Returns the metadata of a list of custom resources. It is encoded without a schema, so the order of its members and the empty continue
 * token are set here.
 */
function customListMeta({ resourceVersion, ...more }: ListMeta): ListMeta {
  return { continue: '', ...more, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

const encoder = new TextEncoder();

/** Decodes the body of a text response. */
export const textOf = ({ body }: RawResult): string => new TextDecoder().decode(joinBytes(body));

/**
 * Returns a plain-text response. @param nosniff whether it has `X-Content-Type-Options: nosniff`, as most plain-text responses of upstream
 * have
 */
export function textResult(status: number, text: string, nosniff = true): RawResult {
  return {
    type: 'raw',
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(nosniff ? { 'X-Content-Type-Options': 'nosniff' } : {}),
    },
    body: [encoder.encode(text)],
  };
}

/** Returns a response without a body. */
export function emptyResult(status: number, headers: Readonly<Record<string, string>> = {}): RawResult {
  return { type: 'raw', status, headers, body: [] };
}

/** Returns the response for paths that are not served. */
export const notFound = (): Result => textResult(404, '404 page not found\n');
