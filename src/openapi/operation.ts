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
  /**
   * The action of the operation and the kind to which it applies, as published in `x-kubernetes-action` and
   * `x-kubernetes-group-version-kind`.
   */
  readonly about?: { readonly action: string; readonly kind: GroupVersionKind };
  readonly parameters: readonly Parameter[];
  /** The definition name of the request body. */
  readonly body?: { readonly definition: string; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** The definition name of each response's body, by status code: 'string' for plain text, undefined for responses without a schema. */
  readonly responses: Readonly<Record<string, string | undefined>>;
}

/** A path with its operations. */
export interface PathOperations {
  readonly path: string;
  readonly operations: readonly Operation[];
}

/** The scope of operations: one namespace, all namespaces, or a cluster-scoped kind. */
export interface Place {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The part of operation ids before the kind, such as `Namespaced`. */
  readonly before: string;
}

export const ANY_TYPE = ['*/*'];
/** The responses of every operation: any request may be refused with 401. */
export const UNAUTHORIZED = { 401: undefined };

/** Returns the path of a single document that is not a resource, with its GET operation. */
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

/** Returns all media types that a server of an API dialect supports. */
export function allMediaTypes(dialect: Dialect): readonly string[] {
  return routeMediaTypes(mediaTypesOf(dialect), false);
}
