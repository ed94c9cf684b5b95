import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import { shownDefinition } from '../schema/openapi.js';
import type { DocumentForm, Sections } from './document-parts.js';
import { entryOf } from './entry.js';
import type { Layout } from './layout.js';
import type { Operation } from './operation.js';
import type { Parameter } from './parameters.js';
import { BEARER_TOKEN, statusPhrase } from './path-items.js';

/** Writes paths in the form of OpenAPI 3.0. */
export const formV3: DocumentForm = {
  version: 3,
  pathItems(dialect) {
    const schema = (definition: string): JsonObject =>
      definition === 'string'
        ? { type: 'string' }
        : { $ref: `#/components/schemas/${shownDefinition(definition, dialect)}` };
    return {
      parameter,
      operation: (operation, parameters) => ({
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(operation.body && { requestBody: requestBody(operation.body, operation.consumes, schema) }),
        responses: responses(operation, schema),
      }),
    };
  },
};

/** Returns an OpenAPI 3.0 document as a {@link Layout}. @param version version of the API */
export function layoutV3({ paths, schemas }: Sections, dialect: Dialect, version: string): Layout {
  const security = { name: 'securitySchemes', entries: [entryOf('BearerToken', BEARER_TOKEN)] };
  return [
    { name: 'openapi', value: '3.0.0' },
    { name: 'info', value: { title: dialect.apiTitle, version } },
    { name: 'paths', entries: [...paths.values()] },
    {
      name: 'components',
      members: schemas.size === 0 ? [security] : [{ name: 'schemas', entries: [...schemas.values()] }, security],
    },
  ];
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
