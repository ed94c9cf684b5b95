import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiError, ApiServer } from '../../src/index.js';
import { startServer } from '../support/servers.js';
import { manifest, thingsOf } from './support.js';

const AT = { namespace: 'default' };
const rules = (...all: object[]) => ({ 'x-kubernetes-validations': all });

describe('validation rules of a custom resource', () => {
  let server: ApiServer;
  const warnings: string[] = [];
  beforeEach(async () => {
    server = await startServer({ dialect: 'k8s' });
    warnings.length = 0;
  });
  afterEach(() => server.close());

  const install = (spec: object, root: object = {}) => server.install(manifest({ spec: spec as never, root }));
  const create = (name: string, spec: object) =>
    server.client().create(thingsOf(server), { metadata: { name }, spec } as never, AT);
  const update = (name: string, spec: object) =>
    server.client().update(thingsOf(server), name, (draft) => void Object.assign(draft, { spec }), AT);

  it('refuse an object with their message, reason and field', async () => {
    await install({
      size: { type: 'integer', ...rules({ rule: 'self < 10', message: 'too big' }) },
      pair: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        ...rules({
          rule: 'self.a <= self.b',
          messageExpression: 'string(self.a)',
          reason: 'FieldValueForbidden',
          fieldPath: '.a',
        }),
      },
    });
    await expect(create('a', { size: 10 })).rejects.toThrow('spec.size: Invalid value: "integer": too big');
    await expect(create('a', { pair: { a: 2, b: 1 } })).rejects.toThrow('spec.pair.a: Forbidden: 2');
    expect((await create('a', { size: 9, pair: { a: 1, b: 1 } })).metadata.name).toBe('a');
  });

  it('have message expressions in which oldSelf is never optional, and has a value only in transition rules', async () => {
    const optionalOldSelf = true;
    const text = (rule: object, ...others: object[]) => ({ type: 'string', ...rules(rule, ...others) });
    await install({
      typed: text({
        rule: 'self != "x" && oldSelf.orValue("") != "x"',
        messageExpression: 'oldSelf.orValue("absent")',
        optionalOldSelf,
      }),
      fields: {
        type: 'object',
        properties: { a: { type: 'string' } },
        ...rules({
          rule: 'self.a != "x" || !oldSelf.hasValue()',
          messageExpression: 'oldSelf.?a.orValue("absent")',
          optionalOldSelf,
        }),
      },
      alone: text({ rule: 'self != "x"', messageExpression: '"was " + oldSelf' }),
      empty: text({ rule: 'self != "x"', messageExpression: '' }),
      beside: text({ rule: 'self != "x"', messageExpression: '"was " + oldSelf' }, { rule: 'self != oldSelf + "!"' }),
    });
    await expect(create('a', { typed: 'x' })).rejects.toThrow('"string": failed rule: self != "x" && oldSelf');
    await create('a', { typed: 'y', fields: { a: 'y' }, alone: 'y', beside: 'y' });
    await expect(update('a', { typed: 'x' })).rejects.toThrow('"string": failed rule: self != "x" && oldSelf');
    await expect(update('a', { fields: { a: 'x' } })).rejects.toThrow('spec.fields: Invalid value: "object": y');
    await expect(create('b', { empty: 'x' })).rejects.toThrow('spec.empty: Invalid value: "string": failed rule: self');
    await expect(update('a', { alone: 'x' })).rejects.toThrow('spec.alone: Invalid value: "string": failed rule: self');
    await expect(update('a', { beside: 'x' })).rejects.toThrow('spec.beside: Invalid value: "string": was y');
  });

  it('report an error at the field of the rule if the message expression costs too much', async () => {
    const list = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
    const costly = `${list}.map(a, ${list}.map(b, ${list}.map(c, ${list}.map(d, ${list}.map(e, a + b + c + d + e)))))`;
    await install({
      pair: {
        type: 'object',
        properties: { a: { type: 'integer' } },
        ...rules({ rule: 'self.a < 2', messageExpression: `string(${costly}.size())`, fieldPath: '.a' }),
      },
    });
    await expect(create('a', { pair: { a: 2 } })).rejects.toThrow(
      'spec.pair.a: Invalid value: "object": no further validation rules will be run due to call cost exceeds limit for messageExpression: "string(',
    );
  });

  it('are evaluated for defaults when the definition is written, both as new and as unchanged values', async () => {
    const at = 'spec.validation.openAPIV3Schema.properties[spec].properties[size]';
    const of = (defaultValue: unknown, ...all: object[]) =>
      install({ size: { type: 'integer', default: defaultValue, ...rules(...all) } });
    await expect(of(10, { rule: 'self < 10', message: 'too big' })).rejects.toThrow(
      `${at}.default: Invalid value: "integer": too big`,
    );
    await expect(
      of(10, { rule: 'oldSelf.hasValue() || self < 10', message: 'too big', optionalOldSelf: true }),
    ).rejects.toThrow(`${at}.default: Invalid value: "integer": too big`);
    await expect(of(10, { rule: 'self > oldSelf', message: 'must grow' })).rejects.toThrow(
      `${at}.default: Invalid value: "integer": must grow`,
    );
    await expect(of('x', { rule: 'self < 10' })).rejects.toThrow(`${at}.default: Invalid value: "string"`);
    await install({
      pair: {
        type: 'object',
        default: { a: 2 },
        properties: { a: { type: 'integer', ...rules({ rule: 'self < 3' }) } },
      },
    });
  });

  it('compare with the old value, by the keys of lists', async () => {
    const items = {
      type: 'object',
      required: ['k'],
      properties: { k: { type: 'string' }, v: { type: 'integer', ...rules({ rule: 'self >= oldSelf' }) } },
    };
    await install({
      list: {
        type: 'array',
        maxItems: 5,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items,
      },
    });
    await create('a', { list: [{ k: 'x', v: 1 }] });
    await update('a', {
      list: [
        { k: 'y', v: -1 },
        { k: 'x', v: 2 },
      ],
    });
    await expect(update('a', { list: [{ k: 'x', v: 1 }] })).rejects.toThrow('spec.list[0].v: Invalid value');
  });

  it('tolerate unchanged values when the definition becomes stricter', async () => {
    await install({ size: { type: 'integer' }, other: { type: 'string' } });
    await create('a', { size: 5, other: 'x' });
    await install({ size: { type: 'integer', ...rules({ rule: 'self < 3' }) }, other: { type: 'string' } });
    expect((await update('a', { size: 5, other: 'y' })).metadata.generation).toBe(2);
    await expect(update('a', { size: 6, other: 'y' })).rejects.toThrow('failed rule: self < 3');
  });

  it('do not tolerate an unchanged object because its kind is unchanged', async () => {
    const spec = { size: { type: 'integer' } };
    await install(spec);
    await create('a', { size: 1 });
    const kind = { type: 'string', ...rules({ rule: 'self == "Other"' }) };
    await install(spec, { properties: { spec: { type: 'object', properties: spec }, kind } });
    await expect(update('a', { size: 2 })).rejects.toThrow(
      'kind: Invalid value: "string": failed rule: self == "Other"',
    );
  });

  it('are refused with the definition if they do not compile or may cost too much', async () => {
    await expect(install({ size: { type: 'integer', ...rules({ rule: 'self.none' }) } })).rejects.toThrow(
      'compilation failed',
    );
    const texts = { type: 'array', items: { type: 'string' }, ...rules({ rule: 'self.all(a, self.all(b, a != b))' }) };
    await expect(install({ texts })).rejects.toThrow('estimated rule cost exceeds budget by factor of more than 100x');
    const inItems = { type: 'array', items: { type: 'integer', ...rules({ rule: 'self == oldSelf' }) } };
    await expect(install({ inItems })).rejects.toThrow(
      'oldSelf cannot be used on the uncorrelatable portion of the schema within ' +
        'spec.validation.openAPIV3Schema.properties[spec].properties[inItems]',
    );
  });

  const causesOf = async (write: Promise<unknown>) => {
    const refused: ApiError = await write.then(
      () => expect.fail('accepted'),
      (error) => error,
    );
    return refused.status.details?.causes ?? [];
  };
  const fieldsOf = async (spec: object) => {
    const from = 'spec.validation.openAPIV3Schema.properties[spec].properties';
    return (await causesOf(install(spec))).map(({ field = '' }) => field.replace(from, ''));
  };

  it('are not checked in a schema with a default that is invalid', async () => {
    const bad = { type: 'integer', ...rules({ rule: 'nothing' }) };
    expect(await fieldsOf({ size: { type: 'integer', default: 'x' }, bad })).toEqual(['[size].default']);
    expect(await fieldsOf({ bad: { ...bad, default: 1 } })).toEqual(['[bad].default']);
  });

  it('are not checked if the metadata is incomplete or too long', async () => {
    await install({ size: { type: 'integer', ...rules({ rule: 'self < 10', message: 'too big' }) } });
    const make = (metadata: object, size = 10) =>
      causesOf(server.client().create(thingsOf(server), { metadata, spec: { size } } as never, AT));
    const seen = async (write: Promise<readonly { readonly field?: string; readonly message?: string }[]>) =>
      (await write).map(({ field, message = '' }) => [field, message.split(';')[0]]);
    const unchecked = [
      '<nil>',
      'Invalid value: "null": some validation rules were not checked because the object was invalid',
    ];
    const missing = ['metadata.name', 'Required value: name or generateName is required'];
    expect(await seen(make({}))).toEqual([missing, unchecked]);
    const annotations = { a: 'x'.repeat(2 ** 18) };
    const long = ['metadata.annotations', 'Too long: must have at most 262144 bytes'];
    expect(await seen(make({ name: 'a', annotations }))).toEqual([long, unchecked]);
    // Other errors of the metadata do not affect the rules.
    const labels = { a: '-' };
    expect((await make({ name: 'a', labels })).map(({ field }) => field)).toEqual(['metadata.labels', 'spec.size']);
    await create('a', { size: 1 });
    const change = server
      .client()
      .update(thingsOf(server), 'a', (draft) => void Object.assign(draft.metadata, { annotations }), AT);
    expect((await seen(causesOf(change))).at(-1)).toEqual(unchecked);
  });

  it('are not evaluated within a part without a type, so a wrong type elsewhere keeps none from being checked', async () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const size = { type: 'integer', ...rules({ rule: 'self < 10' }) };
    await install({
      free: { ...open, properties: { size } },
      list: { type: 'array', items: { ...open, properties: { size } } },
    });
    expect(await create('a', { free: { size: 11 }, list: [{ size: 12 }] })).toMatchObject({
      spec: { free: { size: 11 } },
    });
    const wrong = create('b', { free: { size: 'x' } });
    await expect(wrong).rejects.toThrow('spec.free.size in body must be of type integer: "string"');
    await expect(wrong).rejects.not.toThrow('some validation rules were not checked');
  });

  it('are refused if values have no type', async () => {
    const any = { 'x-kubernetes-preserve-unknown-fields': true };
    const rule = rules({ rule: 'true' });
    const why =
      'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    await expect(install({ a: { ...any, ...rule } })).rejects.toThrow(`[a].x-kubernetes-validations: ${why}`);
    const places = {
      list: { type: 'array', items: any, ...rule },
      map: { type: 'object', additionalProperties: { type: 'array', items: any }, ...rule },
      number: { 'x-kubernetes-int-or-string': true, ...rule },
      open: { type: 'object', ...any, ...rule },
    };
    expect(await fieldsOf(places)).toEqual(['[list].x-kubernetes-validations', '[map].x-kubernetes-validations']);
  });

  it('and list types are reported after errors of nested values', async () => {
    const wrong = rules({ rule: 'nothing' });
    const inner = { type: 'object', properties: { leaf: { type: 'integer', ...wrong } }, ...wrong };
    expect(await fieldsOf({ inner })).toEqual([
      '[inner].properties[leaf].x-kubernetes-validations[0].rule',
      '[inner].x-kubernetes-validations[0].rule',
    ]);
    const mark = { 'x-kubernetes-map-type': 'none' };
    const marked = { type: 'object', properties: { leaf: { type: 'object', ...mark } }, ...mark };
    expect(await fieldsOf({ marked })).toEqual([
      '[marked].properties[leaf].x-kubernetes-map-type',
      '[marked].x-kubernetes-map-type',
    ]);
  });
});

describe('in the orch dialect', () => {
  it('extensions have the prefix of the dialect; those of upstream are accepted as well', async () => {
    await using server = await startServer();
    await server.install(
      manifest({
        spec: {
          any: { 'x-kubernetes-preserve-unknown-fields': true },
          set: { type: 'array', items: { type: 'string' }, 'x-orch-list-type': 'set' },
        },
      }),
    );
    const crd = await server
      .client()
      .get(server.kind('apiextensions.orch.io/v1', 'CustomResourceDefinition'), 'things.example.com');
    const text = JSON.stringify(crd);
    expect(text).toContain('"x-orch-preserve-unknown-fields":true');
    expect(text).toContain('"x-orch-list-type":"set"');
    expect(text).not.toContain('x-kubernetes-');
    const made = server
      .client()
      .create(thingsOf(server), { metadata: { name: 'a' }, spec: { set: ['a', 'a'] } } as never, AT);
    await expect(made).rejects.toThrow('spec.set[1]: Duplicate value: "a"');
  });
});
