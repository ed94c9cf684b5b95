import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import type { Operation, PathOperations } from './operation.js';
import type { Parameter } from './parameters.js';

/** How one version of OpenAPI writes parameters and operations. */
export interface PathItemForm {
  parameter(parameter: Parameter): JsonObject;
  /** Returns the kind of an operation with its members in upstream's order, which differs between the versions. */
  kind(kind: GroupVersionKind): JsonObject;
  /** Returns an operation without its extensions. */
  operation(operation: Operation, parameters: readonly JsonObject[]): JsonObject;
}

/** Returns the `paths` of a document. Parameters that all operations of a path have in common are written once, in the path item. */
export function pathItems(
  paths: readonly PathOperations[],
  dialect: Dialect,
  form: PathItemForm,
): [path: string, item: JsonObject][] {
  return paths.map(({ path, operations }) => [path, pathItem(operations, dialect, form)]);
}

function pathItem(
  operations: readonly Operation[],
  { schemaExtensionPrefix }: Dialect,
  form: PathItemForm,
): JsonObject {
  const [first, ...others] = operations.map(({ parameters }) => parameters);
  const common = new Set((first ?? []).filter((one) => others.every((parameters) => parameters.includes(one))));
  const item: Record<string, JsonObject | readonly JsonObject[]> = {};
  for (const operation of operations) {
    const { method, about } = operation;
    const own = operation.parameters.filter((one) => !common.has(one));
    item[method] = {
      ...form.operation(operation, sortParameters(own).map(form.parameter)),
      ...(about && {
        [`${schemaExtensionPrefix}action`]: about.action,
        [`${schemaExtensionPrefix}group-version-kind`]: form.kind(about.kind),
      }),
    };
  }
  if (common.size > 0) item['parameters'] = sortParameters([...common]).map(form.parameter);
  return item;
}

const sortParameters = (parameters: readonly Parameter[]) =>
  [...parameters].sort((a, b) => (a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1));

const PHRASES: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** Returns the reason phrase of a status code, or the code itself if none is known. */
export function statusPhrase(status: string): string {
  return PHRASES[status] ?? status;
}

/** The security scheme for bearer tokens. */
export const BEARER_TOKEN: JsonObject = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};
