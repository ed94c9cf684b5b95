import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  defineResource,
  type ResourceDefinitionInput,
  type ZodSchema,
} from '../../src/registry/resource-definition.js';

type Input = Omit<ResourceDefinitionInput<ZodSchema>, 'schema'> & { readonly schema: ZodSchema };
const good: Input = {
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ size: z.int() }), status: z.object({ ready: z.boolean() }).optional() }),
};
const define = (changes: object) => () => defineResource({ ...good, ...changes });
const withSpec = (spec: ZodSchema) => define({ schema: z.object({ spec: spec as z.ZodType }) });

describe('a custom definition of a kind', () => {
  it.each<[string, object, string]>([
    ['plural with capitals', { plural: 'My Ws' }, 'Widget: plural "My Ws": a DNS-1035 label must'],
    ['singular with a dot', { singular: 'a.b' }, 'Widget: singular "a.b"'],
    ['short name', { shortNames: ['W'] }, 'Widget: shortNames "W"'],
    ['version', { version: '1' }, 'Widget: version "1"'],
    ['kind with a space', { kind: 'My Widget' }, 'My Widget: kind "my widget"'],
    ['list kind that is the kind', { listKind: 'Widget' }, 'Widget: listKind must differ from kind'],
    [
      'group without a dot',
      { group: 'pods' },
      'Widget: group "pods": the group of a custom kind must be a domain with a dot',
    ],
    ['empty group', { group: '' }, 'Widget: group ""'],
    ['scope', { scope: 'Namespace' }, '"Namespace" is not one of Namespaced, Cluster; did you mean "Namespaced"?'],
    ['verb', { verbs: ['get', 'lst'] }, 'verbs: "lst" is not one of create, delete'],
    ['reset field', { resetFields: ['statos'] }, 'resetFields: the schema has no field statos; did you mean "status"?'],
    [
      'reset field below a number',
      { resetFields: ['spec.size.x'] },
      'resetFields: the schema has no field spec.size.x',
    ],
    ['member', { shortnames: ['w'] }, 'a definition cannot have the member shortnames; did you mean "shortNames"?'],
    ['subresource', { subresources: { Status: {} } }, 'subresources: "Status" must be a name in lower case'],
    [
      'reset field of a subresource',
      { subresources: { scale: { resetFields: ['spec.sise'] } } },
      'resetFields of subresource "scale": the schema has no field spec.sise; did you mean "size"?',
    ],
    [
      'column',
      { columns: [{ name: 'A', type: 'text', description: '', cell: () => '' }] },
      '"text" is not one of string',
    ],
    ['missing schema', { schema: undefined }, 'defineResource: schema is missing'],
    ['schema that is not an object', { schema: z.string() }, 'Widget: the schema must describe an object'],
  ])('is refused for its %s', (_, changes, message) => {
    expect(define(changes)).toThrow(TypeError);
    expect(define(changes)).toThrow(message);
  });

  it('is accepted with paths into undeclared fields', () => {
    const schema = z.object({ spec: z.object({ any: z.unknown(), map: z.record(z.string(), z.string()) }) });
    expect(define({ schema, resetFields: ['spec.any.b', 'spec.map.c'] })).not.toThrow();
  });

  it('with zod 3 is refused, wherever the schema is', () => {
    const older = { _def: { typeName: 'ZodString' }, parse: () => '' } as never;
    expect(define({ schema: older })).toThrow(/Widget: not a zod 4 schema but one of zod 3: install zod 4/);
    expect(withSpec(z.object({ a: older }))).toThrow(
      /Widget: (schema at spec\.a: )?not a zod 4 schema but one of zod 3/,
    );
  });
});

describe('a schema that cannot be represented is refused', () => {
  const at = (path: string, why: string) => `Widget: schema at ${path}: ${why}`;
  it.each<[string, () => ZodSchema, string]>([
    [
      'transform',
      () => z.object({ a: z.string().transform((s) => s.length) }),
      at('spec.a', 'z.transform: objects are kept as they were sent'),
    ],
    ['preprocess', () => z.object({ a: z.preprocess(Number, z.number()) }), at('spec.a', 'z.transform')],
    ['a codec', () => z.stringbool(), at('spec', 'a codec')],
    ['trim', () => z.array(z.string().trim()), at('spec[]', '.trim(), .toLowerCase() and the like')],
    ['coerce', () => z.record(z.string(), z.coerce.number()), at('spec.*', 'z.coerce.number: a value is kept')],
    ['catch', () => z.string().catch('x'), at('spec', 'z.catch: a bad value is refused')],
    [
      'date',
      () => z.object({ a: z.date().optional() }),
      at('spec.a', 'z.date: JSON has no dates: write z.iso.datetime()'),
    ],
    ['bigint', () => z.bigint(), at('spec', 'z.bigint: JSON has no big integers')],
    ['map', () => z.map(z.string(), z.string()), at('spec', 'z.map: JSON has no maps: write z.record()')],
    ['set', () => z.set(z.string()), at('spec', 'z.set: JSON has no sets')],
    [
      'a value in a union that JSON does not have',
      () => z.union([z.string(), z.undefined()]),
      at('spec', 'z.undefined'),
    ],
    ['strictObject', () => z.strictObject({}), at('spec', 'z.strictObject: unknown fields are dropped')],
    [
      'a default in a union',
      () => z.union([z.boolean(), z.object({ a: z.int().default(1) })]),
      at('spec.a', 'a default within a union'),
    ],
    ['a default that is not JSON', () => z.unknown().default(new Date()), at('spec', 'the default is not JSON')],
    ['transform of mini', () => mini.object({ a: mini.transform(String) }), at('spec.a', 'z.transform')],
  ])('%s', (_, spec, message) => {
    expect(withSpec(spec())).toThrow(TypeError);
    expect(withSpec(spec())).toThrow(message);
  });

  it('except that zod validates a strict object in a union', () => {
    const spec = z.discriminatedUnion('t', [z.strictObject({ t: z.literal('a') }), z.object({ t: z.literal('b') })]);
    expect(withSpec(spec)).not.toThrow();
  });
});

describe('zod itself validates', () => {
  it.each<[string, () => ZodSchema, boolean]>([
    [
      'not for bounds, patterns and lengths',
      () => z.object({ a: z.string().min(1).regex(/x/), b: z.int().min(1).optional() }),
      false,
    ],
    [
      'not for enums, int-or-string, lists and maps',
      () =>
        z.object({
          a: z.enum(['x']),
          b: z.union([z.int(), z.string()]),
          c: z.array(z.email()).min(1),
          d: z.record(z.string(), z.int()),
          e: z.literal('a').nullable(),
        }),
      false,
    ],
    ['not for any', () => z.looseObject({ a: z.any() }), false],
    ['not for a recursive schema', () => node, false],
    ['for a refinement', () => z.object({}).refine(() => true), true],
    ['for a check of mini', () => mini.object({}).check(mini.refine(() => true)), true],
    ['for a union', () => z.union([z.boolean(), z.string()]), true],
    ['for bounds of int-or-string', () => z.union([z.int().max(3), z.string()]), true],
    ['for a boolean literal', () => z.literal(true), true],
    ['for a tuple', () => z.tuple([z.string()]), true],
    ['for an intersection', () => z.intersection(z.looseObject({}), z.looseObject({})), true],
    ['for checks of keys', () => z.record(z.string().max(3), z.int()), true],
    ['for catchall', () => z.object({}).catchall(z.int()), true],
    ['for formats with checks beyond a pattern', () => z.url(), true],
    ['for any JSON', () => z.json(), true],
    ['for custom', () => z.custom<string>(() => true), true],
  ])('%s', (_, spec, asked) => {
    expect(withSpec(spec())().checkObject !== undefined).toBe(asked);
  });

  it('metadata with its own messages', () => {
    const schema = z.object({ metadata: z.looseObject({ name: z.string().max(3) }), spec: z.object({}) });
    expect(defineResource({ ...good, schema }).checkObject).toBeDefined();
  });
});

describe('a value that zod validates', () => {
  /** Checks a size with a refinement, and counts how often the refinement is called. */
  const sized = (refinement: (size: number) => boolean | Promise<boolean>) => {
    let calls = 0;
    const size = z.int().refine((value) => {
      calls++;
      return refinement(value);
    });
    const { checkObject } = withSpec(z.object({ size }))();
    return { check: (value: number) => checkObject?.({ spec: { size: value } } as never), calls: () => calls };
  };

  it('is parsed only once if an earlier value has shown that refinements are asynchronous', async () => {
    const { check, calls } = sized(async (size) => size > 0);
    expect([await check(1), calls()]).toEqual([[], 2]);
    expect([await check(2), calls()]).toEqual([[], 3]);
  });

  it('is parsed synchronously after a refinement has thrown', async () => {
    const { check } = sized((size) => {
      if (size === 0) throw new Error('a bug');
      return true;
    });
    await expect(check(0)).rejects.toThrow('a bug');
    expect(check(1)).toEqual([]);
  });
});

const node = z.object({
  get children() {
    return z.array(node).optional();
  },
});
