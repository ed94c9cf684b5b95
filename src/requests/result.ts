import type { ApiObject, ListMeta } from '../meta/object-meta.js';
import type { Status } from '../meta/status.js';
import type { ResourceWatch } from '../registry/reads/resource-watch.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { Chunks } from '../serialization/format.js';
import { joinBytes } from '../values/join-bytes.js';
import type { ResponseBody } from './api-request.js';

/** What a handler answers, before it becomes bytes. In-process callers get this. */
export type Result =
  | { readonly type: 'object'; readonly status: number; readonly object: ApiObject; readonly resource: ServedResource }
  | { readonly type: 'status'; readonly status: number; readonly object: Status }
  | {
      readonly type: 'list';
      readonly resource: ServedResource;
      readonly metadata: ListMeta;
      readonly items: readonly ApiObject[];
    }
  | { readonly type: 'watch'; readonly resource: ServedResource; readonly watch: ResourceWatch }
  /** A document other than an API object: discovery. Encoded as the request negotiates. */
  | { readonly type: 'document'; readonly document: object; readonly indented?: boolean }
  | RawResult
  /** Another server's answer, sent as it comes. */
  | {
      readonly type: 'relayed';
      readonly status: number;
      readonly headers: Readonly<Record<string, readonly string[]>>;
      readonly body: ResponseBody;
    };

/** Made elsewhere, sent as it is: health, OpenAPI. */
export interface RawResult {
  readonly type: 'raw';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In order, not to be changed. A frozen list is that of other answers, too: what is made of it may be kept by it. */
  readonly body: Chunks;
  /** Whether it may be sent compressed. */
  readonly gzip?: boolean;
}

/** What was asked for was done, and there is nothing to show. */
export const DONE: Result = {
  type: 'status',
  status: 201,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** A list without its items. */
export function listHead({ resource, metadata }: Extract<Result, { type: 'list' }>) {
  const { definition, apiVersion } = resource;
  return {
    kind: definition.listKind,
    apiVersion,
    metadata: definition.decoding === 'typed' ? metadata : open(metadata),
  };
}

/** Lists of users' kinds have no struct that would give their metadata an order, or leave out a token that is empty. */
function open({ resourceVersion, ...more }: ListMeta): ListMeta {
  return { continue: '', ...more, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

const encoder = new TextEncoder();

/** The body of an answer that was made as text. */
export const textOf = ({ body }: RawResult): string => new TextDecoder().decode(joinBytes(body));

/** An answer in plain text; `nosniff` as the reference sets it. */
export function textResult(status: number, text: string, nosniff = true): Result {
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

/** An answer without a body. */
export function emptyResult(status: number, headers: Readonly<Record<string, string>> = {}): RawResult {
  return { type: 'raw', status, headers, body: [] };
}

/** The answer where nothing is served at all. */
export const notFound = (): Result => textResult(404, '404 page not found\n');
