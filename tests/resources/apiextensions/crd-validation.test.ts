import { describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../../../src/resources/apiextensions/index.js';
import { created, createErrors, updateErrors } from '../steps.js';

it('requires the name of the resource, and accepts no generated name', async () => {
  const openAPIV3Schema = { type: 'object' };
  const spec = {
    group: 'a.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  };
  const errors = (metadata: object) => createErrors(customResourceDefinition, { metadata, spec });
  const name = 'widgets.a.example.com';
  const refusal = (path: string, value: string) =>
    `${path}: Invalid value: "${value}": must be spec.names.plural+"."+spec.group`;
  expect(await errors({ name })).toEqual([]);
  expect(await errors({ name, generateName: name })).toEqual([]);
  expect(await errors({ name, generateName: 'w-' })).toEqual([refusal('metadata.generateName', 'w-')]);
  expect(await errors({ name: 'w-1', generateName: 'w-' })).toEqual([
    refusal('metadata.generateName', 'w-'),
    refusal('metadata.name', 'w-1'),
  ]);
});

const widgets = (openAPIV3Schema: object) => ({
  metadata: { name: 'widgets.a.example.com' },
  spec: {
    group: 'a.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});
const errorsOf = (openAPIV3Schema: object) => createErrors(customResourceDefinition, widgets(openAPIV3Schema));
const SCHEMA = 'spec.validation.openAPIV3Schema';

it.each([
  ['$schema', { $schema: 'x' }, [`${SCHEMA}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]],
  [
    'an empty $ref, which does not keep the structure from being checked',
    { $ref: '', properties: { a: {} } },
    [
      `${SCHEMA}.properties[a].type: Required value: must not be empty for specified object fields`,
      `${SCHEMA}.$ref: Forbidden: $ref is not supported`,
    ],
  ],
])('refuses %s', async (_what, keywords, expected) => {
  expect(await errorsOf({ type: 'object', ...keywords })).toEqual(expected);
});

it('requires apiVersion and kind in a default of the whole object', async () => {
  expect(await errorsOf({ type: 'object', default: {} })).toEqual([
    `${SCHEMA}.default.apiVersion: Required value: must not be empty`,
    `${SCHEMA}.default.kind: Required value: must not be empty`,
  ]);
  expect(await errorsOf({ type: 'object', default: { apiVersion: '', kind: 'Widget' } })).toEqual([
    `${SCHEMA}.default.apiVersion: Invalid value: "": must not be empty`,
  ]);
  expect(await errorsOf({ type: 'object', default: { apiVersion: 'v1', kind: 'Widget' } })).toEqual([]);
});

it('checks the field paths of rules, unless the schema has a forbidden keyword', async () => {
  const withRule = (schema: object, fieldPath: string) =>
    errorsOf({
      type: 'object',
      properties: { a: { type: 'object', ...schema, 'x-kubernetes-validations': [{ rule: 'true', fieldPath }] } },
    });
  const at = `${SCHEMA}.properties[a]`;
  expect(await withRule({}, '.b')).toEqual([
    `${at}.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": fieldPath must be a valid path`,
  ]);
  expect(await withRule({ dependencies: { b: ['c'] } }, '.b')).toEqual([
    `${at}.dependencies: Forbidden: dependencies is not supported`,
  ]);
  expect(await withRule({ additionalProperties: true }, '.b')).toEqual([]);
});

it('reports an invalid message expression at the rule, even if the schema has a default that the rule judges', async () => {
  const withRule = (rule: string) =>
    errorsOf({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule, messageExpression: '1' }] },
      },
    });
  const [refusal, ...others] = await withRule("self == 'x'");
  expect(others).toEqual([]);
  expect(refusal).toMatch(/messageExpression: Invalid value: .*: messageExpression must evaluate to a string$/);
  expect(await withRule("self == 'y'")).toEqual([
    `${SCHEMA}.properties[a].default: Invalid value: "string": failed rule: self == 'y'`,
  ]);
});

it('compiles rules about strings whose allowed values include null', async () => {
  const a = {
    type: 'string',
    nullable: true,
    enum: ['x', null],
    'x-kubernetes-validations': [{ rule: "self == 'x'" }],
  };
  expect(await errorsOf({ type: 'object', properties: { a } })).toEqual([]);
});

describe('a property that is named by a reserved word', () => {
  const schema = (rule: object, others: object = {}) => ({
    type: 'object',
    properties: {
      a: { type: 'object', properties: { namespace: { type: 'string' } }, 'x-kubernetes-validations': [rule] },
      ...others,
    },
  });
  const undefinedField = expect.stringMatching(
    /: compilation failed: ERROR: <input>:1:\d+: undefined field 'namespace'/,
  );
  const inMessage = expect.stringMatching(/messageExpression compilation failed: .* undefined field 'namespace'/);
  const bare = { rule: 'has(self.namespace)' };
  const bareMessage = { rule: 'true', messageExpression: 'self.namespace' };

  it('can be used in new expressions only with escapes', async () => {
    const escaped = { rule: 'has(self.__namespace__)', messageExpression: 'self.__namespace__' };
    expect(await errorsOf(schema(escaped))).toEqual([]);
    expect(await errorsOf(schema(bare))).toEqual([undefinedField]);
    expect(await errorsOf(schema({ rule: 'self.?namespace.hasValue()' }))).toEqual([undefinedField]);
    expect(await errorsOf(schema(bareMessage))).toEqual([inMessage]);
  });

  it('can be used without escapes in expressions that the stored definition contains, wherever they are', async () => {
    const changes = (from: object, to: object) =>
      updateErrors(customResourceDefinition, widgets(to), created(customResourceDefinition, widgets(from)));
    const { a } = schema(bare).properties;
    expect(await changes(schema(bare), schema(bare, { b: a }))).toEqual([]);
    expect(await changes(schema(bareMessage), schema({ ...bareMessage, rule: 'self.__namespace__ != ""' }))).toEqual(
      [],
    );
    expect(await changes(schema(bare), schema({ rule: '!has(self.namespace)' }))).toEqual([undefinedField]);
    // Message expressions are compared with message expressions, and rules with rules.
    expect(await changes(schema(bareMessage), schema({ ...bare, messageExpression: 'self.namespace' }))).toEqual([
      undefinedField,
    ]);
    expect(await changes(schema(bare), schema({ ...bareMessage, ...bare }))).toEqual([inMessage]);
  });
});

it('does not evaluate an empty rule for a default', async () => {
  const a = { type: 'string', default: 'x', 'x-kubernetes-validations': [{ rule: ' ' }] };
  expect(await errorsOf({ type: 'object', properties: { a } })).toEqual([
    `${SCHEMA}.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified`,
  ]);
});

it('reports a webhook whose Service has no name like one without a namespace, as upstream does', async () => {
  const openAPIV3Schema = { type: 'object' };
  const errors = await createErrors(customResourceDefinition, {
    metadata: { name: 'widgets.a.example.com' },
    spec: {
      group: 'a.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: { name: '', namespace: 'a' } }, conversionReviewVersions: ['v1'] },
      },
    },
  });
  expect(errors).toEqual([
    'spec.conversion.webhookClientConfig.service.namespace: Required value: service namespace is required',
  ]);
});

it('prints keys of a map after a dot, also in a default', async () => {
  const a = { type: 'object', additionalProperties: { type: 'integer' }, default: { x: 'y' } };
  expect(await errorsOf({ type: 'object', properties: { a } })).toEqual([
    `${SCHEMA}.properties[a].default.x: Invalid value: "string": .x in body must be of type integer: "string"`,
  ]);
});
