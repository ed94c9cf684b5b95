import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.js';

// Unknown fields of built-in kinds and of custom resources, at each level of field validation.
let world: World;
let definitions = 0;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const CRON = '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$';
const integer = { type: 'integer', format: 'int32' };
const text = { type: 'string' };
const ports = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
  items: {
    type: 'object',
    required: ['containerPort', 'protocol'],
    properties: { containerPort: integer, hostIP: text, hostPort: integer, name: text, protocol: text },
  },
};
const FIELDS = { foo: text, cronSpec: { type: 'string', pattern: CRON }, ports };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const specOf = (properties: object, more: object = {}) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

/** Defines a kind with two versions. Returns its group version, and the path of its objects. */
async function kindOf(openAPIV3Schema: object) {
  const group = `g${++definitions}.example.com`;
  await world.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `noxus.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'noxus', singular: 'nonenglishnoxu', kind: 'Noxu', listKind: 'NoxuItemList' },
      versions: [
        { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema } },
        { name: 'v1beta2', served: true, storage: true, schema: { openAPIV3Schema } },
      ],
    },
  });
  await world.server.settle();
  return { apiVersion: `${group}/v1beta1`, path: `/apis/${group}/v1beta1/noxus` };
}
const yamlOf = (apiVersion: string, lines: readonly string[], spec: readonly string[] = []) =>
  [
    '',
    `apiVersion: ${apiVersion}`,
    'kind: Noxu',
    'metadata:',
    '  name: mytest',
    '  finalizers:',
    '  - test-finalizer',
    ...lines,
    'spec:',
    ...spec,
    '  foo: foo1',
    '  cronSpec: "* * * * */5"',
    '  ports:',
    '  - name: x',
    '    containerPort: 80',
    '    protocol: TCP',
  ].join('\n');
const applied = ({ path }: { path: string }, body: string) =>
  world.send('PATCH', `${path}/mytest?fieldManager=validator&fieldValidation=Strict`, {
    body,
    type: 'application/apply-patch+yaml',
  });

describe('field validation of a built-in kind', () => {
  const deployment = (metadata: string, spec: string) =>
    `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"my-dep",${metadata}"labels":{"app":"nginx"}},"spec":{${spec}
      "selector":{"matchLabels":{"app":"nginx"}},"template":{"metadata":{"labels":{"app":"nginx"}},
      "spec":{"containers":[{"name":"nginx","image":"nginx:latest"}]}}}}`;
  it.each([
    [
      '',
      '"unknownField":"foo","replicas":2,"replicas":3,',
      'strict decoding error: unknown field "spec.unknownField", duplicate field "spec.replicas"',
    ],
    ['"unknownMeta":"foo",', '', 'strict decoding error: unknown field "metadata.unknownMeta"'],
  ])('refuses unknown and duplicate fields: %s%s', async (metadata, spec, said) => {
    const path = '/apis/apps/v1/namespaces/default/deployments?fieldManager=m&fieldValidation=Strict';
    const { status, message } = await world.send('POST', path, { body: deployment(metadata, spec) });
    expect([status, message]).toEqual([400, expect.stringContaining(said)]);
  });
});

describe('field validation of a custom resource', () => {
  it('accepts declared fields', async () => {
    const kind = await kindOf(specOf(FIELDS));
    expect((await applied(kind, yamlOf(kind.apiVersion, []))).status).toBe(201);
  });

  it('accepts everything without a schema', async () => {
    const kind = await kindOf({ type: 'object', ...open });
    expect((await applied(kind, yamlOf(kind.apiVersion, [], ['  unknown: uk1']))).status).toBe(201);
  });

  it('refuses a field that the schema does not declare', async () => {
    const kind = await kindOf(specOf(FIELDS));
    const { message } = await applied(kind, yamlOf(kind.apiVersion, ['unknownField: unknown']));
    expect(message).toContain('.unknownField: field not declared in schema');
  });

  it('refuses a duplicate field, even if unknown ones are kept', async () => {
    const kind = await kindOf(specOf(FIELDS, open));
    const { status, message } = await applied(kind, yamlOf(kind.apiVersion, [], ['  unknown: uk1', '  foo: foo0']));
    expect([status, message]).toEqual([400, expect.stringContaining('line 11: key "foo" already set in map')]);
  });

  describe('with an embedded object', () => {
    const template = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    };
    const inner = (...metadata: readonly string[]) => [
      '  template:',
      '    apiVersion: foo/v1',
      '    kind: Sub',
      '    metadata:',
      '      name: subobject',
      '      labels: {a: b}',
      ...metadata.map((line) => `      ${line}`),
    ];

    it('checks the metadata of both', async () => {
      const kind = await kindOf(specOf({ template, ...FIELDS }, open));
      const both = await applied(
        kind,
        yamlOf(kind.apiVersion, ['  unknownMeta: unknown'], inner('unknownSubMeta: unknown')),
      );
      expect(both.message).toContain('.metadata.unknownMeta: field not declared in schema');
      expect(both.message).toContain('.spec.template.metadata.unknownSubMeta: field not declared in schema');
    });

    it('accepts an apply without declared metadata, and records owners as usual', async () => {
      const kind = await kindOf(specOf({ template, ...FIELDS }));
      const { status, value, message } = await applied(kind, yamlOf(kind.apiVersion, [], inner('finalizers: [x.y/z]')));
      expect(status, message).toBe(201);
      expect(value.metadata.managedFields[0].fieldsV1['f:spec']['f:template']).toEqual({
        'f:apiVersion': {},
        'f:kind': {},
        'f:metadata': { 'f:name': {}, 'f:labels': { 'f:a': {} }, 'f:finalizers': { 'v:"x.y/z"': {} } },
      });
    });

    it('publishes the embedded metadata', async () => {
      const whole = { type: 'object', 'x-kubernetes-embedded-resource': true, ...open };
      const { apiVersion } = await kindOf(specOf({ template, whole }));
      const [group = ''] = apiVersion.split('/');
      const name = [...group.split('.').reverse(), 'v1beta1', 'Noxu'].join('.');
      const { components } = await world.get(`/openapi/v3/apis/${apiVersion}`);
      const { properties } = components.schemas[name].properties.spec;
      for (const each of [properties.template, properties.whole]) {
        expect(each.required).toEqual(['kind', 'apiVersion']);
        expect(each.properties.metadata.allOf).toEqual([
          { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        ]);
      }
      const { definitions } = await world.get('/openapi/v2');
      const old = definitions[name].properties.spec.properties;
      expect(old.template).toMatchObject({ type: 'object', required: ['kind', 'apiVersion'] });
      expect(old.whole).toEqual({
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      });
    });
  });
});
