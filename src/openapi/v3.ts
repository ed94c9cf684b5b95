import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { GroupVersion } from '../meta/group-version.js';
import { openApiSchemas, shownDefinition } from '../schema/openapi.js';
import { type DocumentContents, rootsOf } from './contents.js';
import type { Operation } from './operation.js';
import type { Parameter } from './parameters.js';
import { BEARER_TOKEN, pathItems, statusPhrase } from './path-items.js';

/** Writes a document in OpenAPI 3.0. `groupVersions` are those that shared schemas list; `version` is that of the API as a whole, `enums` whether values are listed. */
export function openApiV3(
  contents: DocumentContents,
  groupVersions: readonly GroupVersion[],
  dialect: Dialect,
  version: string,
  enums: boolean,
): JsonObject {
  const roots = rootsOf(contents, groupVersions);
  const schema = (definition: string): JsonObject =>
    definition === 'string'
      ? { type: 'string' }
      : { $ref: `#/components/schemas/${shownDefinition(definition, dialect)}` };
  const schemas = openApiSchemas(roots, { dialect, version: 3, enums });
  return {
    openapi: '3.0.0',
    info: { title: dialect.apiTitle, version },
    paths: pathItems(contents.paths, dialect, {
      parameter,
      operation: (operation, parameters) => ({
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(operation.body && { requestBody: requestBody(operation.body, operation.consumes, schema) }),
        responses: responses(operation, schema),
      }),
    }),
    components: { ...(roots.length > 0 ? { schemas } : {}), securitySchemes: { BearerToken: BEARER_TOKEN } },
  };
}

function parameter({ name, in: place, type, description }: Parameter): JsonObject {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}

type Refer = (definition: string) => JsonObject;

const contentOf = (types: readonly string[], schema: JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

function requestBody(
  { definition, required }: NonNullable<Operation['body']>,
  types: readonly string[],
  schema: Refer,
): JsonObject {
  return { content: contentOf(types, schema(definition)), ...(required ? { required } : {}) };
}

function responses({ responses: all, produces }: Operation, schema: Refer): JsonObject {
  const entries = Object.entries(all).map(([status, definition]): [string, JsonObject] => [
    status,
    {
      description: statusPhrase(status),
      ...(definition === undefined ? {} : { content: contentOf(produces, schema(definition)) }),
    },
  ]);
  return Object.fromEntries(entries);
}
