import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import { dialectDefinition } from '../schema/openapi.js';
import type { DocumentForm, Sections } from './document-parts.js';
import type { Layout } from './layout.js';
import type { Operation } from './operation.js';
import type { Parameter } from './parameters.js';
import { BEARER_TOKEN, statusPhrase } from './path-items.js';

// Older clients look for these parameters in the operation itself and do not follow references, so the parameters are written inline.
const WRITTEN_OUT: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation']);

/** Writes paths in the form of OpenAPI 2.0. */
export const formV2: DocumentForm = {
  version: 2,
  pathItems(dialect, parameters) {
    const schema = (definition: string): JsonObject =>
      definition === 'string'
        ? { type: 'string' }
        : { $ref: `#/definitions/${dialectDefinition(definition, dialect)}` };
    return {
      parameter(parameter) {
        if (WRITTEN_OUT.has(parameter.name) || parameter.name === 'name') return parameterOf(parameter);
        parameters.set(parameter.key, parameterOf(parameter));
        return { $ref: `#/parameters/${parameter.key}` };
      },
      kind: ({ group, version, kind }) => ({ group, kind, version }),
      operation({ operationId, description, tag, body, consumes, produces, responses }, others) {
        const all = body
          ? [
              {
                name: 'body',
                in: 'body',
                ...(body.required ? { required: true } : {}),
                schema: schema(body.definition),
              },
              ...others,
            ]
          : others;
        return {
          description,
          ...(consumes.length > 0 ? { consumes } : {}),
          produces,
          schemes: ['https'],
          tags: [tag],
          operationId,
          ...(all.length > 0 ? { parameters: all } : {}),
          responses: responsesOf(responses, schema),
        };
      },
    };
  },
};

/** Returns an OpenAPI 2.0 document as a {@link Layout}. @param version version of the API */
export function layoutV2({ paths, schemas, parameters }: Sections, dialect: Dialect, version: string): Layout {
  return [
    { name: 'swagger', value: '2.0' },
    { name: 'info', value: { title: dialect.apiTitle, version } },
    { name: 'paths', entries: [...paths.values()] },
    { name: 'definitions', entries: [...schemas.values()] },
    { name: 'parameters', entries: [...parameters.values()] },
    { name: 'securityDefinitions', value: { BearerToken: BEARER_TOKEN } },
    { name: 'security', value: [{ BearerToken: [] }] },
  ];
}

function parameterOf({ name, in: place, type, description }: Parameter): JsonObject {
  return { uniqueItems: true, type, description, name, in: place, ...(place === 'path' ? { required: true } : {}) };
}

function responsesOf(responses: Operation['responses'], schema: (definition: string) => JsonObject): JsonObject {
  const entries = Object.entries(responses).map(([status, definition]): [string, JsonObject] => [
    status,
    { description: statusPhrase(status), ...(definition === undefined ? {} : { schema: schema(definition) }) },
  ]);
  return Object.fromEntries(entries);
}
