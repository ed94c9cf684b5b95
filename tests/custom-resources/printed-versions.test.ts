import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

// A refusal shows the versions of a definition as the reference keeps them while it validates.
let server: ApiServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

const schema = { openAPIV3Schema: { type: 'object' } };
const other = { openAPIV3Schema: { type: 'object', description: 'other' } };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 };
const v1 = { name: 'v1', served: true, storage: true, schema };

it.each<[string, readonly object[], readonly string[]]>([
  [
    'what is the same in all is not in them',
    [v1, { ...v1, name: 'v2', deprecated: true, deprecationWarning: 'old' }],
    [
      'Deprecated:false, DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil), ',
      'Deprecated:true, DeprecationWarning:(*string)(0xc000000000), Schema:(*apiextensions.CustomResourceValidation)(nil), ',
    ],
  ],
  [
    'what differs is',
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
