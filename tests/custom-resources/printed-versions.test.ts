import { expect, it } from 'vitest';
import type { JSONSchemaProps } from '../../src/resources/apiextensions/json-schema-props.js';
import { printSchema } from '../../src/resources/apiextensions/validation/print-schema.js';
import { ask } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// A refusal prints the versions of a definition in the form that upstream has during validation.
const server = openSuiteServer();

const schema = { openAPIV3Schema: { type: 'object' } };
const other = { openAPIV3Schema: { type: 'object', description: 'other' } };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 };
const v1 = { name: 'v1', served: true, storage: true, schema };

it.each<[string, readonly object[], readonly string[]]>([
  [
    'fields that are equal in all versions are printed as unset',
    [v1, { ...v1, name: 'v2', deprecated: true, deprecationWarning: 'old' }],
    [
      'Deprecated:false, DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil), ',
      'Deprecated:true, DeprecationWarning:(*string)(0xc000000000), Schema:(*apiextensions.CustomResourceValidation)(nil), ',
    ],
  ],
  [
    'fields that differ between versions are printed',
    [v1, { ...v1, name: 'v2', schema: other, subresources: { status: {} }, additionalPrinterColumns: [column] }],
    [
      'Schema:(*apiextensions.CustomResourceValidation)(0xc000000000), Subresources:(*apiextensions.CustomResourceSubresources)(nil), AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil), ',
      'Schema:(*apiextensions.CustomResourceValidation)(0xc000000000), Subresources:(*apiextensions.CustomResourceSubresources)(0xc000000000), ' +
        'AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition{apiextensions.CustomResourceColumnDefinition{' +
        'Name:"Size", Type:"integer", Format:"", Description:"", Priority:1, JSONPath:".spec.size"}}, ',
    ],
  ],
])('%s', async (_name, versions, shown) => {
  const names = { plural: 'things', kind: 'Thing' };
  const { status, message } = await ask(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', scope: 'Cluster', names, versions },
    },
  });
  expect(status).toBe(422);
  const type = 'apiextensions.CustomResourceDefinitionVersion';
  const [first, second] = ['v1', 'v2'].map((name) => `${type}{Name:"${name}", Served:true, Storage:true, `);
  const full = shown[0]?.startsWith('Deprecated')
    ? shown
    : shown.map((text) => `Deprecated:false, DeprecationWarning:(*string)(nil), ${text}`);
  expect(message).toContain(`spec.versions: Invalid value: []${type}{${first}${full[0]}`);
  expect(message).toContain(`SelectableFields:[]apiextensions.SelectableField(nil)}, ${second}${full[1]}`);
  expect(message).toContain(
    'SelectableFields:[]apiextensions.SelectableField(nil)}}: must have exactly one version marked as storage version',
  );
});

it('a schema is printed with its own fields and those of its members, but not with what pointers refer to', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    minProperties: 1,
    default: {},
    enum: ['a', 1.5, null, { b: [true] }],
    properties: { b: { $ref: 'x', not: {} }, a: { allOf: [{ nullable: true }], items: {} } },
    dependencies: { d: ['e'] },
    'x-kubernetes-list-map-keys': ['k'],
    'x-kubernetes-validations': [{ rule: 'self == "a"' }],
  };
  const printed = printSchema(schema, 'x-kubernetes-');
  const inner = (name: string) => printed.slice(printed.indexOf(`"${name}":apiextensions.JSONSchemaProps{`));
  expect(printed).toMatch(
    /^apiextensions\.JSONSchemaProps\{ID:"", Schema:"", Ref:\(\*string\)\(nil\), Description:"", Type:"object", Nullable:false, Format:"", Title:"", Default:\(\*apiextensions\.JSON\)\(0xc000000000\), Maximum:\(\*float64\)\(nil\), /,
  );
  for (const text of [
    'Enum:[]apiextensions.JSON{"a", 1.5, apiextensions.JSON(nil), map[string]interface {}{"b":[]interface {}{true}}}, ' +
      'MaxProperties:(*int64)(nil), MinProperties:(*int64)(0xc000000000), Required:[]string(nil), ' +
      'Items:(*apiextensions.JSONSchemaPropsOrArray)(nil), AllOf:[]apiextensions.JSONSchemaProps(nil), ',
    'Properties:map[string]apiextensions.JSONSchemaProps{"a":apiextensions.JSONSchemaProps{ID:"", ',
    'Dependencies:apiextensions.JSONSchemaDependencies{"d":apiextensions.JSONSchemaPropsOrStringArray{' +
      'Schema:(*apiextensions.JSONSchemaProps)(nil), Property:[]string{"e"}}}, AdditionalItems:(*apiextensions.JSONSchemaPropsOrBool)(nil), ' +
      'Definitions:apiextensions.JSONSchemaDefinitions(nil), ExternalDocs:(*apiextensions.ExternalDocumentation)(nil), Example:(*apiextensions.JSON)(nil), ' +
      'XPreserveUnknownFields:(*bool)(nil), XEmbeddedResource:false, XIntOrString:false, XListMapKeys:[]string{"k"}, XListType:(*string)(nil), ' +
      'XMapType:(*string)(nil), XValidations:apiextensions.ValidationRules{apiextensions.ValidationRule{Rule:"self == \\"a\\"", Message:"", ',
  ])
    expect(printed).toContain(text);
  expect(inner('a')).toContain(
    'Items:(*apiextensions.JSONSchemaPropsOrArray)(0xc000000000), AllOf:[]apiextensions.JSONSchemaProps{apiextensions.JSONSchemaProps{',
  );
  expect(inner('b')).toContain('Ref:(*string)(0xc000000000), ');
  expect(inner('b')).toContain('Not:(*apiextensions.JSONSchemaProps)(0xc000000000), ');
});

it('very many schemas are printed only in part', () => {
  const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, {}]));
  const printed = printSchema({ properties }, 'x-kubernetes-');
  expect(printed.match(/JSONSchemaProps\{ID/g)).toHaveLength(200);
  expect(printed.length).toBeLessThan(5_000_000);
});
