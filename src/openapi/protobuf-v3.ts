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
 * Encodes OpenAPI 3.0 documents as the protobuf message `openapi.v3.Document`. Only the fields that this server's documents use are
 * defined; other members are left out.
 */
export const messageV3: MessageEncoding = {
  encode: (layout) => encodeMessage(documentMessage, layout),
  hasTagOfJson: true,
};

const reference = nested(() => message({ $ref: [1, text] }));

/** Writes either the value itself or a reference to it. */
const orReference =
  (codec: Codec): Codec =>
  (writer, field, value) =>
    (member(value, '$ref') === undefined ? inside(1, codec) : inside(2, reference))(writer, field, value);
const schema = orReference(nested(() => schemaMessage));
const schemaOrBoolean: Codec = (writer, field, value) =>
  (typeof value === 'boolean' ? inside(2, flag) : inside(1, schema))(writer, field, value);
/** Writes a default that is a scalar. For any other default it writes an empty message, so that clients see only that a default exists. */
const plainDefault: Codec = (writer, field, value) =>
  writer.message(field, () => {
    double(writer, 1, value);
    flag(writer, 2, value);
    text(writer, 3, value);
  });

const schemaMessage: Message = message(
  {
    nullable: [1, flag],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, flag],
    minimum: [13, double],
    exclusiveMinimum: [14, flag],
    maxLength: [15, count],
    minLength: [16, count],
    pattern: [17, text],
    maxItems: [18, count],
    minItems: [19, count],
    uniqueItems: [20, flag],
    maxProperties: [21, count],
    minProperties: [22, count],
    required: [23, repeated(text)],
    enum: [24, repeated(anything)],
    type: [25, text],
    allOf: [26, repeated(schema)],
    oneOf: [27, repeated(schema)],
    anyOf: [28, repeated(schema)],
    not: [29, nested(() => schemaMessage)],
    items: [30, inside(1, schema)],
    properties: [31, namedEntries(schema)],
    additionalProperties: [32, schemaOrBoolean],
    default: [33, plainDefault],
    description: [34, text],
    format: [35, text],
  },
  36,
);

const content = namedEntries(nested(() => message({ schema: [1, schema] })));
const parameter = orReference(
  nested(() =>
    message({ name: [1, text], in: [2, text], description: [3, text], required: [4, flag], schema: [10, schema] }, 14),
  ),
);
const requestBody = orReference(
  nested(() => message({ description: [1, text], content: [2, content], required: [3, flag] }, 4)),
);
const response = orReference(nested(() => message({ description: [1, text], content: [3, content] }, 5)));

const operation = nested(() =>
  message(
    {
      tags: [1, repeated(text)],
      description: [3, text],
      operationId: [5, text],
      parameters: [6, repeated(parameter)],
      requestBody: [7, requestBody],
      responses: [8, namedEntries(response, 2)],
    },
    13,
  ),
);

const pathItem = nested(() =>
  message({
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, repeated(parameter)],
  }),
);

const securityScheme = orReference(
  nested(() => message({ type: [1, text], description: [2, text], name: [3, text], in: [4, text] })),
);

const documentMessage = message({
  openapi: [1, text],
  info: [2, nested(() => message({ title: [1, text], version: [6, text] }))],
  paths: [4, namedEntries(pathItem)],
  components: [
    5,
    nested(() => message({ schemas: [1, namedEntries(schema)], securitySchemes: [7, namedEntries(securityScheme)] })),
  ],
});
