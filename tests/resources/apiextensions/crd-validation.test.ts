import { expect, it } from 'vitest';
import { customResourceDefinition } from '../../../src/resources/apiextensions/index.js';
import { createErrors } from '../steps.js';

it('wants the name of the resource, and nothing else to generate a name from', async () => {
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
