import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { mapYielding } from '../meta/flow.js';
import { entryOf, inWireOrder } from './entry.js';
import type { Layout } from './layout.js';
import { sectionOf } from './references.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const SCHEMAS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Converts an OpenAPI 2.0 document to OpenAPI 3.0, as upstream does for backends without OpenAPI 3.0 (spec 24.6). Members that only one of
 * the versions has are left out. The conversion yields to other requests.
 * @param document the document; its depth must have been checked
 */
export async function convertOpenApiV2(document: JsonObject): Promise<Layout> {
  const produces = textsOf(document['produces']);
  const section = async (name: string, value: JsonValue | undefined, convert: (member: JsonObject) => JsonObject) => {
    if (!isJsonObject(value)) return [];
    const members = Object.entries(value);
    const entries = await mapYielding(members, ([key, member]) => entryOf(key, convertedMember(key, member, convert)));
    return [{ name, entries: inWireOrder(entries) }];
  };
  const about = ['info', 'externalDocs'].flatMap((name) => {
    const value = document[name];
    return value === undefined ? [] : [{ name, value }];
  });
  const components = [
    ...(await section('schemas', document['definitions'], schemaOf)),
    ...(await section('parameters', document['parameters'], parameterOf)),
    ...(await section('responses', document['responses'], (each) => responseOf(each, produces))),
    ...(await section('securitySchemes', document['securityDefinitions'], securitySchemeOf)),
  ];
  return [
    { name: 'openapi', value: '3.0.0' },
    ...about,
    ...(await section('paths', sectionOf(document, 'paths'), pathItemOf)),
    { name: 'components', members: components },
  ];
}

const present = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** Converts each member of an object; returns undefined when `value` is not an object. */
function mapMembers(value: JsonValue | undefined, convert: (member: JsonObject) => JsonObject): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, convertedMember(name, member, convert)]),
  );
}

const convertedMember = (
  name: string,
  member: JsonValue | undefined,
  convert: (member: JsonObject) => JsonObject,
): JsonValue => (isJsonObject(member) && !name.startsWith('x-') ? convert(member) : (member ?? null));

const extensionsOf = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('x-')));

/**
 * Converts a schema so that its references point to components. If a schema has other members beside `$ref`, the reference is moved into
 * `allOf`.
 */
function schemaOf(schema: JsonObject): JsonObject {
  const converted: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined) continue;
    converted[name] =
      name === 'properties'
        ? (mapMembers(value, schemaOf) ?? value)
        : SCHEMAS.includes(name) || name === 'items' || name === 'additionalProperties' || name === 'not'
          ? schemasOf(value)
          : value;
  }
  const { $ref, ...others } = converted;
  if (typeof $ref !== 'string') return converted;
  const reference = { $ref: $ref.replace('#/definitions/', '#/components/schemas/') };
  return Object.keys(others).length === 0 ? reference : { ...others, allOf: [reference] };
}

function schemasOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((each) => (isJsonObject(each) ? schemaOf(each) : each));
  return isJsonObject(value) ? schemaOf(value) : value;
}

function pathItemOf(item: JsonObject): JsonObject {
  const operations = METHODS.map((method) => {
    const operation = item[method];
    return [method, isJsonObject(operation) ? operationOf(operation) : undefined] as const;
  });
  const { parameters } = item;
  return present({
    ...extensionsOf(item),
    $ref: item['$ref'],
    ...Object.fromEntries(operations),
    parameters: Array.isArray(parameters) ? parameters.filter(isJsonObject).map(parameterOf) : undefined,
  });
}

function operationOf(operation: JsonObject): JsonObject {
  const {
    description,
    externalDocs,
    tags,
    summary,
    deprecated,
    operationId,
    parameters: declaredParameters,
  } = operation;
  const all = Array.isArray(declaredParameters) ? declaredParameters.filter(isJsonObject) : [];
  const isBody = ({ name, schema }: JsonObject) => name === 'body' && isJsonObject(schema);
  const body = all.find(isBody)?.['schema'];
  const parameters = all.filter((each) => !isBody(each)).map(parameterOf);
  const produces = textsOf(operation['produces']);
  return present({
    ...extensionsOf(operation),
    tags,
    summary,
    description,
    externalDocs,
    operationId,
    ...(parameters.length > 0 ? { parameters } : {}),
    requestBody: isJsonObject(body) ? { content: contentOf(body, textsOf(operation['consumes'])) } : undefined,
    responses: mapMembers(operation['responses'], (each) => responseOf(each, produces)),
    deprecated,
  });
}

const contentOf = (schema: JsonObject, types: readonly string[]): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: schemaOf(schema) }]));

function responseOf(response: JsonObject, produces: readonly string[]): JsonObject {
  const { $ref, description, schema } = response;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/responses/', '#/components/responses/') };
  const content = isJsonObject(schema) ? contentOf(schema, produces) : undefined;
  return present({ ...extensionsOf(response), description: description ?? '', content });
}

function parameterOf(parameter: JsonObject): JsonObject {
  const { $ref, name, description, in: place, required, allowEmptyValue, schema } = parameter;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/parameters/', '#/components/parameters/') };
  const { type, format, uniqueItems } = parameter;
  const converted = isJsonObject(schema) ? schemaOf(schema) : present({ type, format, uniqueItems });
  return present({
    ...extensionsOf(parameter),
    name,
    in: place,
    description,
    required,
    allowEmptyValue,
    schema: converted,
  });
}

function securitySchemeOf(scheme: JsonObject): JsonObject {
  const { type, description, name, in: place, flow, authorizationUrl, tokenUrl, scopes } = scheme;
  const flows = typeof flow === 'string' ? { [flow]: present({ authorizationUrl, tokenUrl, scopes }) } : undefined;
  return present({ ...extensionsOf(scheme), type, description, name, in: place, flows });
}
