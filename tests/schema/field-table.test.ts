import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { coreV1 } from '../../src/resources/core/core-v1.js';
import type { Typed } from '../../src/schema/authoring.js';
import { fieldTable } from '../../src/schema/field-table.js';
import { metaV1 } from '../../src/schema/meta-v1.js';
import type { ObjectSchema } from '../../src/schema/schema.js';

const TEXT = `
Colour = string {blue, red}
Names = []string as map.Names
Raw = any io.example.Raw

Widget kind                                     A widget.
  spec    2  WidgetSpec                         What is wanted.

WidgetSpec atomic union(type: left,right)
  type    1  Colour! =red                       Its colour.
  left    2  int32?                             One side.
  right   3  WidgetSpec*                        Another widget.
  parts   4  []Part by(name,port)? merge key(name)  Its parts.
  labels  5  map(string) atomic                 Labels.
  names   6  Names?                             Names.
  when    -  Time~                              A time.
  raw     7  Raw* required                      Anything.
  embed 8 Part

Part
  name  1    string!                            Its name.
  port  2.1  IntOrString?                       Its port.
  meta  3    meta.LabelSelector*                Picks.
`;
interface Structs {
  Widget: unknown;
  WidgetSpec: unknown;
  Part: unknown;
}
const table = fieldTable<Structs>('io.example.v1', { meta: metaV1 }, TEXT);
const schemaOf = (typed: Typed<unknown>) => typed as unknown as ObjectSchema;
const specOf = () => schemaOf(table.struct('WidgetSpec'));

describe('a table of structs', () => {
  it('gives a kind the fields that every kind has', () => {
    const widget = schemaOf(table.struct('Widget'));
    expect([...widget.properties.keys()]).toEqual(['kind', 'apiVersion', 'metadata', 'spec']);
    expect(widget.properties.get('metadata')?.schema).toBe(metaV1.struct('ObjectMeta'));
    expect(widget).toMatchObject({ definition: 'io.example.v1.Widget', description: 'A widget.' });
  });

  it('creates each struct once, and freezes only what it created', () => {
    expect(table.struct('WidgetSpec')).toBe(table.type('WidgetSpec'));
    expect(specOf().properties.get('right')?.schema).toBe(specOf());
    expect(Object.isFrozen(specOf())).toBe(true);
  });

  it('parses the flags of a struct', () => {
    expect(specOf()).toMatchObject({
      mapType: 'atomic',
      union: { discriminator: 'type', fields: ['left', 'right'] },
    });
    expect(specOf().description).toBeUndefined();
  });

  it.each([
    [
      'type',
      {
        presence: 'always',
        required: true,
        number: 1,
        schema: { enum: ['blue', 'red'], typeName: 'v1.Colour', default: 'red' },
      },
    ],
    ['left', { presence: 'omitEmpty', number: 2, schema: { type: 'integer', format: 'int32' } }],
    [
      'parts',
      { patchStrategy: ['merge'], patchMergeKey: 'name', schema: { listType: 'map', mapKeys: ['name', 'port'] } },
    ],
    ['labels', { presence: 'always', schema: { type: 'map', mapType: 'atomic' } }],
    ['names', { schema: { type: 'list', typeName: 'map.Names' } }],
    ['raw', { presence: 'omitNull', required: true, schema: { type: 'any', definition: 'io.example.Raw' } }],
    ['name', { number: [8, 1], description: 'Its name.' }],
    ['port', { number: [8, 2, 1] }],
  ])('parses the field %s', (name, facts) => {
    expect(specOf().properties.get(name)).toMatchObject(facts);
  });

  it('has fields without a number', () => {
    expect(specOf().properties.get('when')).toEqual({
      schema: expect.objectContaining({ format: 'date-time' }),
      presence: 'orNull',
      description: 'A time.',
    });
  });

  it('refuses unknown flags', () => {
    const read = (text: string) => () =>
      schemaOf(fieldTable<{ A: unknown }>('io.example.v1', {}, text).struct('A')).properties.size;
    expect(() => table.type('Gadget')).toThrow('io.example.v1 has no Gadget');
    expect(read('A\n  a  1  Missing  A field.')).toThrow('io.example.v1 has no Missing');
    expect(read('A\n  a  1  string merge often  A field.')).toThrow('unknown word often');
    expect(read('A = string')).toThrow('A is not a struct');
  });
});

it('every struct of core/v1 can be parsed, with a description for every field', () => {
  for (const name of coreV1.structs)
    for (const [field, { description }] of schemaOf(coreV1.type(name) as unknown as Typed<unknown>).properties)
      expect(description, `${name}.${field}`).toMatch(/\S/);
});

it('the TypeScript types are those of the tables (npm run api-types)', () => {
  const script = fileURLToPath(new URL('../../scripts/api-types.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
