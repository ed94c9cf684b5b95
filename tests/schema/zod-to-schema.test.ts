import { describe, expect, expectTypeOf, it } from 'vitest';
import { z as classic } from 'zod';
import * as mini from 'zod/mini';
import type { ApiObject } from '../../src/meta/object-meta.js';
import * as a from '../../src/schema/authoring.js';
import { topLevel } from '../../src/schema/object-meta-schema.js';
import { LazyProperties } from '../../src/schema/properties.js';
import type { Schema } from '../../src/schema/schema.js';
import { validateStructural } from '../../src/schema/structural.js';
import { schemaOf } from '../../src/schema/zod-to-schema.js';

/** A schema as plain data, for comparing. */
function plain(schema: Schema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      value instanceof Map || value instanceof LazyProperties ? Object.fromEntries(value) : value,
    ),
  );
}

describe('a zod schema', () => {
  it.each([
    [
      'string',
      classic.string().min(2).max(3).regex(/^a/),
      { type: 'string', minLength: 2, maxLength: 3, pattern: '^a' },
    ],
    ['length', classic.string().length(4), { type: 'string', minLength: 4, maxLength: 4 }],
    ['date-time', classic.iso.datetime(), { type: 'string', format: 'date-time' }],
    [
      'number',
      classic.number().gt(1).lte(5).multipleOf(2),
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, multipleOf: 2 },
    ],
    ['int', classic.number().int().min(1), { type: 'integer', format: 'int64', plain: true, minimum: 1 }],
    ['int32', classic.int32(), { type: 'integer', format: 'int32' }],
    ['boolean', classic.boolean(), { type: 'boolean' }],
    ['enum', classic.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['literal', classic.literal('a'), { type: 'string', enum: ['a'] }],
    [
      'union of literals',
      classic.union([classic.literal('a'), classic.literal('b')]),
      { type: 'string', enum: ['a', 'b'] },
    ],
    ['int or string', classic.union([classic.int(), classic.string()]), { type: 'intOrString' }],
    ['any other union', classic.union([classic.boolean(), classic.string()]), { type: 'any' }],
    ['nullable', classic.string().nullable(), { type: 'string', nullable: true }],
    ['union with null', classic.union([classic.string(), classic.null()]), { type: 'string', nullable: true }],
    ['default', classic.number().default(3), { type: 'number', default: 3 }],
    [
      'array',
      classic.array(classic.string()).min(1).max(2),
      { type: 'list', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    ],
    ['record', classic.record(classic.string(), classic.boolean()), { type: 'map', values: { type: 'boolean' } }],
    ['unknown', classic.unknown(), { type: 'any' }],
    ['description', classic.string().describe('text'), { type: 'string', description: 'text' }],
    [
      'extensions',
      classic.array(classic.string()).meta({ 'x-orch-list-type': 'set' }),
      { type: 'list', items: { type: 'string' }, listType: 'set' },
    ],
    ['a pipe', classic.string().transform((s) => s.length), { type: 'string' }],
    [
      'object',
      classic.object({
        a: classic.string(),
        b: classic.string().optional(),
        c: classic.int().default(1),
        d: classic.string().nullish(),
      }),
      {
        type: 'object',
        properties: {
          a: { schema: { type: 'string' }, required: true },
          b: { schema: { type: 'string' } },
          c: { schema: { type: 'integer', format: 'int64', plain: true, default: 1 } },
          d: { schema: { type: 'string', nullable: true } },
        },
      },
    ],
    ['loose object', classic.looseObject({}), { type: 'object', properties: {}, preserveUnknown: true }],
    ['strict object', classic.strictObject({}), { type: 'object', properties: {} }],
    [
      'mini',
      mini.object({ a: mini.optional(mini.string()) }),
      { type: 'object', properties: { a: { schema: { type: 'string' } } } },
    ],
  ])('%s', (_, zod, expected) => expect(plain(schemaOf(zod))).toEqual(expected));

  it('is converted once', () => {
    const zod = classic.object({ a: classic.string() });
    expect(schemaOf(zod)).toBe(schemaOf(zod));
  });

  it('may be recursive', () => {
    const node = classic.object({
      get children() {
        return classic.array(node).optional();
      },
    });
    const schema = schemaOf(node);
    const children = schema.type === 'object' ? schema.properties.get('children')?.schema : undefined;
    expect(children?.type === 'list' && children.items).toBe(schema);
    type Endless = Endless[];
    const endless: mini.ZodMiniType<Endless> = mini.array(mini.lazy(() => endless));
    expect(() => schemaOf(endless)).toThrow('contains itself');
  });

  it('has its patterns matched without preparation, in copies as well', () => {
    const schema = schemaOf(
      classic.object({ a: classic.string().regex(/^A/i).nullable().describe('x'), e: classic.email().regex(/b/) }),
    );
    expect(validateStructural(schema, { a: 'about', e: 'b@c.de' }, '')).toEqual([]);
    expect(validateStructural(schema, { a: 'x', e: 'a@c.de' }, '').map((e) => e.path)).toEqual(['a', 'e', '<nil>']);
  });

  it('must be zod 4', () => {
    expect(() => schemaOf({ _zod: { output: 1 } })).toThrow('not a zod 4 schema');
  });
});

describe('authoring', () => {
  const widget = topLevel('io.example.v1.Widget', '', () => ({
    spec: a.always(
      a.struct('io.example.v1.WidgetSpec', '', () => ({
        size: a.required(a.int32(), 1, 'How big.'),
        mode: a.omitEmpty(a.string({ enum: ['on', 'off'] })),
        tags: a.always(a.listSet(a.string())),
        started: a.always(a.time()),
        ended: a.omitNull(a.time()),
        parts: a.omitEmpty(
          a.listMap(
            a.struct('io.example.v1.Part', '', () => ({ name: a.required(a.string()) })),
            ['name'],
            {
              typeName: 'v1.Parts',
            },
          ),
          6,
          '',
          {
            patchStrategy: ['merge'],
            patchMergeKey: 'name',
          },
        ),
        raw: a.any(),
        protocol: a.omitEmpty(a.string(), 8, 'p'),
      })),
    ),
  }));
  it('infers types', () => {
    type Widget = a.OutputOf<typeof widget>;
    expectTypeOf<Widget>().toExtend<ApiObject>();
    expectTypeOf<Widget['spec']['size']>().toEqualTypeOf<number>();
    expectTypeOf<Widget['spec']['mode']>().toEqualTypeOf<'on' | 'off' | undefined>();
    expectTypeOf<Widget['spec']['tags']>().toEqualTypeOf<readonly string[] | null>();
    expectTypeOf<Widget['spec']['started']>().toEqualTypeOf<string | null>();
    expectTypeOf<Widget['spec']['ended']>().toEqualTypeOf<string | undefined>();
  });
  it('describes presence, protobuf numbers and list types, which zod cannot express', () => {
    const schema = a.structSchema(widget);
    expect([...schema.properties.keys()]).toEqual(['kind', 'apiVersion', 'metadata', 'spec']);
    const spec = schema.properties.get('spec')?.schema;
    expect(spec && plain(spec)).toEqual({
      type: 'object',
      definition: 'io.example.v1.WidgetSpec',
      properties: {
        size: {
          schema: { type: 'integer', format: 'int32' },
          presence: 'always',
          required: true,
          number: 1,
          description: 'How big.',
        },
        mode: { schema: { type: 'string', enum: ['on', 'off'] }, presence: 'omitEmpty' },
        tags: { schema: { type: 'list', listType: 'set', items: { type: 'string' } }, presence: 'always' },
        started: {
          schema: { type: 'string', format: 'date-time', definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time' },
          presence: 'always',
        },
        ended: {
          schema: { type: 'string', format: 'date-time', definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time' },
          presence: 'omitNull',
        },
        parts: {
          schema: {
            type: 'list',
            listType: 'map',
            mapKeys: ['name'],
            typeName: 'v1.Parts',
            items: {
              type: 'object',
              definition: 'io.example.v1.Part',
              properties: { name: { schema: { type: 'string' }, presence: 'always', required: true } },
            },
          },
          presence: 'omitEmpty',
          number: 6,
          description: '',
          patchStrategy: ['merge'],
          patchMergeKey: 'name',
        },
        raw: { schema: { type: 'any' }, required: true },
        protocol: { schema: { type: 'string' }, presence: 'omitEmpty', number: 8, description: 'p' },
      },
    });
  });
  it('refuses structs and times as empty values', () => {
    expect(() => a.omitEmpty(a.time())).toThrow(TypeError);
    expect(() => a.omitEmpty(a.struct('x.v1.X', '', () => ({})))).toThrow(TypeError);
  });
});
