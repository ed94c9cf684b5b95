import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import { dialectDefinition } from '../schema/openapi.js';
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
        : { $ref: `#/components/schemas/${dialectDefinition(definition, dialect)}` };
    return {
      parameter,
      kind: ({ group, version, kind }) => ({ group, version, kind }),
      operation: (operation, parameters) => ({
        tags: [operation.tag],
        description: operation.description,
        operationId: operation.operationId,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(operation.body && { requestBody: requestBody(operation.body, operation.consumes, schema) }),
        responses: responses(operation, schema),
      }),
    };
  },
};

/** The title and the version of a document. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** Returns the title and version that upstream gives every document of custom resources. They do not depend on the API's version. */
export const customInfo = ({ apiTitle }: Dialect): DocumentInfo => ({
  title: `${apiTitle} CRD Swagger`,
  version: 'v0.1.0',
});

/**
 * Returns an OpenAPI 3.0 document as a {@link Layout}.
 * @param isCustom whether it describes custom resources; their documents name no security scheme
 */
export function layoutV3({ paths, schemas }: Sections, { title, version }: DocumentInfo, isCustom: boolean): Layout {
  const security = { name: 'securitySchemes', entries: [entryOf('BearerToken', BEARER_TOKEN)] };
  return [
    { name: 'openapi', value: '3.0.0' },
    { name: 'info', value: { title, version } },
    { name: 'paths', entries: [...paths.values()] },
    {
      name: 'components',
      members: [
        ...(schemas.size === 0 ? [] : [{ name: 'schemas', entries: [...schemas.values()] }]),
        ...(isCustom ? [] : [security]),
      ],
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
  Object.fromEntries([...types].sort().map((type) => [type, { schema }]));

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
