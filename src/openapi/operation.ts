import type { Dialect } from '../meta/dialect.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import { mediaTypesOf, routeMediaTypes } from '../serialization/media-type.js';
import type { Parameter } from './parameters.js';

/** One method of one path, as both versions of OpenAPI describe it. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  /** What a resource's operation does, and to which kind. */
  readonly about?: { readonly action: string; readonly kind: GroupVersionKind };
  readonly parameters: readonly Parameter[];
  /** Definition name of the body. */
  readonly body?: { readonly definition: string; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Definition names by status; 'string' for text, undefined for answers without a shape of their own. */
  readonly responses: Readonly<Record<string, string | undefined>>;
}

/** A path and what can be asked of it. */
export interface PathOperations {
  readonly path: string;
  readonly operations: readonly Operation[];
}

/** Where operations are: in one namespace, across all, or of a kind without namespaces. */
export interface Place {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Precedes the kind in ids. */
  readonly before: string;
}

export const ANY_TYPE = ['*/*'];
/** Any request may be answered so. */
export const UNAUTHORIZED = { 401: undefined };

/** Operations of a document other than a resource: one GET. */
export function documentOperation(
  path: string,
  operation: Pick<Operation, 'operationId' | 'tag' | 'description' | 'consumes' | 'produces'> & {
    readonly answer: string;
  },
): PathOperations {
  const { answer, ...rest } = operation;
  return {
    path,
    operations: [{ method: 'get', ...rest, parameters: [], responses: { 200: answer, ...UNAUTHORIZED } }],
  };
}

/** Every media type of a dialect. */
export function allMediaTypes(dialect: Dialect): readonly string[] {
  return routeMediaTypes(mediaTypesOf(dialect), false);
}
