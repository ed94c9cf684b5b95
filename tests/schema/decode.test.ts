import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import * as a from '../../src/schema/authoring.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { zeroValue } from '../../src/schema/zero-value.js';
import { lease, role, secret, serviceAccount, tokenRequest } from './decoded-kinds.js';

const bare = { metadata: { creationTimestamp: null } };

describe('unknown fields', () => {
  it.each([
    [
      serviceAccount,
      { metadata: { name: 'a', nope: 1 }, spec: {}, secrets: [{ extra: true }] },
      ['metadata.nope', 'spec', 'secrets[0].extra'],
    ],
    [serviceAccount, { Metadata: { name: 'x' } }, ['Metadata']],
    [
      tokenRequest,
      JSON.parse('{"spec":{"__proto__":1,"constructor":2},"__proto__":{"x":1}}'),
      ['spec.__proto__', 'spec.constructor', '__proto__'],
    ],
  ])('%#', (schema, body, paths) => expect(decodeTyped(schema, body).unknownFields).toEqual(paths));

  it('are reported a hundred times at most', () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 1]));
    expect(decodeTyped(role, body).unknownFields).toHaveLength(100);
  });
});

describe('the decoded object', () => {
  it.each([
    ['has defaults for null', serviceAccount, null, bare],
    [
      'lacks empty values',
      serviceAccount,
      { metadata: { name: '', labels: {}, finalizers: [] }, secrets: [], imagePullSecrets: null },
      bare,
    ],
    [
      'keeps the zero value of a pointer',
      serviceAccount,
      { automountServiceAccountToken: false },
      { ...bare, automountServiceAccountToken: false },
    ],
    [
      'has empty objects for null items',
      serviceAccount,
      { secrets: [null, { name: 'a', kind: null }] },
      { ...bare, secrets: [{}, { name: 'a' }] },
    ],
    [
      'has an empty string for null in a map',
      serviceAccount,
      { metadata: { labels: { a: null } } },
      { metadata: { creationTimestamp: null, labels: { a: '' } } },
    ],
    ['has empty bytes for null in a map', secret, { data: { a: null } }, { ...bare, data: { a: '' } }],
    ['has null for a required list', role, {}, { ...bare, rules: null }],
    ['has a zero object for null in a list', role, { rules: [null] }, { ...bare, rules: [{ verbs: null }] }],
    ['has an empty object for a null struct', lease, { spec: null }, { ...bare, spec: {} }],
    [
      'has times in UTC',
      lease,
      { spec: { acquireTime: '2024-01-02T03:04:05.123456+01:00' } },
      { ...bare, spec: { acquireTime: '2024-01-02T02:04:05.123456Z' } },
    ],
    [
      'has times without fractions',
      role,
      { metadata: { creationTimestamp: '2024-01-02T03:04:05.9+01:00' } },
      { metadata: { creationTimestamp: '2024-01-02T02:04:05Z' }, rules: null },
    ],
    [
      'has bytes in canonical base64',
      secret,
      { data: { a: 'aGk\n=', b: 'aGl=', c: [104, 105] } },
      { ...bare, data: { a: 'aGk=', b: 'aGk=', c: 'aGk=' } },
    ],
    [
      'has quantities in canonical form',
      tokenRequest,
      { cpu: '0.5' },
      { ...bare, spec: { audiences: null }, cpu: '500m' },
    ],
    [
      'has a string for a quantity that was a number',
      tokenRequest,
      { cpu: 2 },
      { ...bare, spec: { audiences: null }, cpu: '2' },
    ],
  ] as const)('%s', (_, schema, body, expected) => {
    expect(decodeTyped(schema, body).value).toEqual(expected);
  });

  it('has its fields in wire order and its entries sorted', () => {
    const body = {
      automountServiceAccountToken: true,
      secrets: [],
      metadata: { labels: { b: '', a: '' }, name: 'x' },
      apiVersion: 'v1',
      kind: 'K',
    };
    expect(JSON.stringify(decodeTyped(serviceAccount, body).value)).toBe(
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"x","creationTimestamp":null,"labels":{"a":"","b":""}},"automountServiceAccountToken":true}',
    );
  });

  it('keeps entries named like parts of JavaScript', () => {
    const body: unknown = JSON.parse('{"data":{"__proto__":"aGk=","constructor":"aGk="}}');
    const { value } = decodeTyped(secret, body);
    expect(JSON.stringify(value)).toBe(
      '{"metadata":{"creationTimestamp":null},"data":{"__proto__":"aGk=","constructor":"aGk="}}',
    );
  });

  it('does not change the body, and copies raw values from it if requested', () => {
    const body = { raw: { a: [1, { b: null }] } };
    expect(decodeTyped(tokenRequest, body).value['raw']).toBe(body.raw);
    const { value } = decodeTyped(tokenRequest, body, { copyRaw: true });
    expect(value['raw']).toEqual(body.raw);
    expect(value['raw']).not.toBe(body.raw);
  });

  it('shares frozen values in their final form', () => {
    const { value: first } = decodeTyped(serviceAccount, {
      metadata: { name: 'x', labels: { a: 'b' } },
      secrets: [{ name: 's' }],
    });
    const stored = deepFreeze(first);
    const metadata = stored['metadata'] as object;
    const patched = { ...stored, metadata: { ...metadata, resourceVersion: '5' }, automountServiceAccountToken: true };
    const { value } = decodeTyped(serviceAccount, patched);
    expect(value['secrets']).toBe(stored['secrets']);
    expect((value['metadata'] as { labels: unknown }).labels).toBe((metadata as { labels: unknown }).labels);
    const again = decodeTyped(serviceAccount, stored).value;
    expect(again['metadata']).toBe(metadata);
    expect(Object.isFrozen(again)).toBe(false);
  });

  it('does not share frozen values that are not in their final form', () => {
    const body = deepFreeze({ metadata: { labels: {}, name: 'x' }, secrets: [{ name: '', nope: 1 }] });
    const { value, unknownFields } = decodeTyped(serviceAccount, body);
    expect(value).toEqual({ metadata: { name: 'x', creationTimestamp: null }, secrets: [{}] });
    expect(unknownFields).toEqual(['secrets[0].nope']);
  });

  it('decodes recursive kinds, and refuses values that are nested too deep', () => {
    type Node = { readonly next?: Node };
    const node: a.Typed<Node> = a.struct('x.v1.Node', '', () => ({
      next: a.omitNull(node, 1),
    }));
    let body: Node = {};
    for (let i = 0; i < 500; i++) body = { next: body };
    const schema = a.structSchema(node);
    expect(decodeTyped(schema, body).value).toEqual(body);
    for (let i = 0; i < 9000; i++) body = { next: body };
    expect(() => decodeTyped(schema, body)).toThrow('exceeded max depth');
  });
});

describe('properties', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'name', ''));
  const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value);
  const body = fc.record(
    {
      metadata: orNull(
        fc.record(
          {
            name: orNull(text),
            generation: orNull(fc.integer()),
            labels: orNull(fc.dictionary(text, orNull(text))),
            finalizers: orNull(fc.array(orNull(text))),
            deletionTimestamp: orNull(
              fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((d) => d.toISOString()),
            ),
            other: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
      secrets: orNull(fc.array(orNull(fc.record({ name: text, odd: fc.jsonValue() }, { requiredKeys: [] })))),
      automountServiceAccountToken: orNull(fc.boolean()),
      more: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  it('decoding twice has the same result as once; frozen results are returned as they are', () => {
    fc.assert(
      fc.property(body, (given) => {
        const once = decodeTyped(serviceAccount, given).value;
        const text = JSON.stringify(once);
        const reread = decodeTyped(serviceAccount, JSON.parse(text));
        expect(JSON.stringify(reread.value)).toBe(text);
        expect(reread.unknownFields).toEqual([]);
        const frozen = deepFreeze(once);
        const again = decodeTyped(serviceAccount, frozen).value;
        expect(JSON.stringify(again)).toBe(text);
        for (const name of Object.keys(frozen)) expect(again[name]).toBe(frozen[name]);
      }),
    );
  });
  it('a body is decoded, or an error says what is wrong', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        try {
          decodeTyped(serviceAccount, { metadata: given, secrets: given });
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });
});

describe('zeroValue', () => {
  it.each([
    [serviceAccount, bare],
    [role, { ...bare, rules: null }],
    [lease, { ...bare, spec: {} }],
    [tokenRequest, { ...bare, spec: { audiences: null } }],
  ])('%#', (schema, expected) => {
    expect(zeroValue(schema)).toEqual(expected);
    expect(zeroValue(schema)).toBe(zeroValue(schema));
  });
});

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
