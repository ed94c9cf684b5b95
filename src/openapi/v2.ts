import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import type { GroupVersion } from '../meta/group-version.js';
import { openApiSchemas, shownDefinition } from '../schema/openapi.js';
import { type DocumentContents, rootsOf } from './contents.js';
import type { Operation } from './operation.js';
import type { Parameter } from './parameters.js';
import { BEARER_TOKEN, pathItems, statusPhrase } from './path-items.js';

// Older clients look for these in the operation itself.
const WRITTEN_OUT: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation']);

/** Writes all documents as one, in OpenAPI 2.0. `groupVersions` are all those served; `version` is that of the API as a whole, `enums` whether values are listed. */
export function openApiV2(
  documents: readonly DocumentContents[],
  groupVersions: readonly GroupVersion[],
  dialect: Dialect,
  version: string,
  enums: boolean,
): JsonObject {
  const schema = (definition: string): JsonObject =>
    definition === 'string' ? { type: 'string' } : { $ref: `#/definitions/${shownDefinition(definition, dialect)}` };
  const shared = new Map<string, JsonObject>();
  const paths = pathItems(
    documents.flatMap((each) => each.paths),
    dialect,
    {
      parameter(parameter) {
        if (WRITTEN_OUT.has(parameter.name) || parameter.name === 'name') return parameterOf(parameter);
        shared.set(parameter.key, parameterOf(parameter));
        return { $ref: `#/parameters/${parameter.key}` };
      },
      operation: ({ body, consumes, produces, responses }, parameters) => {
        const all = body
          ? [
              {
                name: 'body',
                in: 'body',
                ...(body.required ? { required: true } : {}),
                schema: schema(body.definition),
              },
              ...parameters,
            ]
          : parameters;
        return {
          schemes: ['https'],
          ...(consumes.length > 0 ? { consumes } : {}),
          produces,
          ...(all.length > 0 ? { parameters: all } : {}),
          responses: responsesOf(responses, schema),
        };
      },
    },
  );
  return {
    swagger: '2.0',
    info: { title: dialect.apiTitle, version },
    paths,
    definitions: openApiSchemas(
      documents.flatMap((document) => rootsOf(document, groupVersions)),
      { dialect, version: 2, enums },
    ),
    parameters: Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
    securityDefinitions: { BearerToken: BEARER_TOKEN },
    security: [{ BearerToken: [] }],
  };
}

function parameterOf({ name, in: place, type, description }: Parameter): JsonObject {
  return { name, in: place, type, description, ...(place === 'path' ? { required: true } : {}), uniqueItems: true };
}

function responsesOf(responses: Operation['responses'], schema: (definition: string) => JsonObject): JsonObject {
  const entries = Object.entries(responses).map(([status, definition]): [string, JsonObject] => [
    status,
    { description: statusPhrase(status), ...(definition === undefined ? {} : { schema: schema(definition) }) },
  ]);
  return Object.fromEntries(entries);
}
