import type { MessageEncoding } from './document.js';
import {
  anything,
  type Codec,
  count,
  double,
  encodeMessage,
  flag,
  inside,
  type Message,
  member,
  message,
  namedEntries,
  nested,
  repeated,
  text,
} from './protobuf-message.js';

/**
 * Encodes OpenAPI 2.0 documents as the protobuf message `openapi.v2.Document`, which older clients request. Only the fields that this
 * server's documents use are defined; other members are left out.
 */
export const messageV2: MessageEncoding = {
  encode: (layout) => encodeMessage(documentMessage, layout),
  hasTagOfJson: false,
};

const schema = nested(() => schemaMessage);

const reference = nested(() => message({ $ref: [1, text], description: [2, text] }));
const bodyParameter = nested(() =>
  message({ description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema] }, 6),
);
const placed = { required: [1, flag], in: [2, text], description: [3, text], name: [4, text] } as const;
const queryParameter = nested(() =>
  message({ ...placed, type: [6, text], format: [7, text], uniqueItems: [20, flag] }, 23),
);
const pathParameter = nested(() =>
  message({ ...placed, type: [5, text], format: [6, text], uniqueItems: [19, flag] }, 22),
);

const notInBody: Codec = (writer, field, value) =>
  (member(value, 'in') === 'query' ? inside(3, queryParameter) : inside(4, pathParameter))(writer, field, value);
const parameter: Codec = (writer, field, value) =>
  (member(value, 'in') === 'body' ? inside(1, bodyParameter) : inside(2, notInBody))(writer, field, value);
const parameterOrReference: Codec = (writer, field, value) =>
  (member(value, '$ref') === undefined ? inside(1, parameter) : inside(2, reference))(writer, field, value);
const schemaOrBoolean: Codec = (writer, field, value) =>
  (typeof value === 'boolean' ? inside(2, flag) : inside(1, schema))(writer, field, value);

const schemaMessage: Message = message(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, anything],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, count],
    minLength: [12, count],
    pattern: [13, text],
    maxItems: [14, count],
    minItems: [15, count],
    uniqueItems: [16, flag],
    maxProperties: [17, count],
    minProperties: [18, count],
    required: [19, repeated(text)],
    enum: [20, repeated(anything)],
    additionalProperties: [21, schemaOrBoolean],
    type: [22, inside(1, text)],
    items: [23, inside(1, schema)],
    allOf: [24, repeated(schema)],
    properties: [25, namedEntries(schema)],
  },
  31,
);

const response = inside(
  1,
  nested(() => message({ description: [1, text], schema: [2, inside(1, schema)] }, 5)),
);
const responses = namedEntries(response);

const operation = nested(() =>
  message(
    {
      tags: [1, repeated(text)],
      description: [3, text],
      operationId: [5, text],
      produces: [6, repeated(text)],
      consumes: [7, repeated(text)],
      parameters: [8, repeated(parameterOrReference)],
      responses: [9, responses],
      schemes: [10, repeated(text)],
    },
    13,
  ),
);

const pathItem = nested(() =>
  message({
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, repeated(parameterOrReference)],
  }),
);

const apiKey = nested(() => message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }));

const documentMessage = message({
  swagger: [1, text],
  info: [2, nested(() => message({ title: [1, text], version: [2, text] }))],
  paths: [8, namedEntries(pathItem, 2)],
  definitions: [9, namedEntries(schema)],
  parameters: [10, namedEntries(parameter)],
  security: [12, repeated(namedEntries(inside(1, repeated(text))))],
  securityDefinitions: [13, namedEntries(inside(2, apiKey))],
});
