import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import * as a from '../../src/schema/authoring.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { topLevel } from '../../src/schema/object-meta-schema.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { zeroValue } from '../../src/schema/zero-value.js';

const objectReference = a.struct(
  'io.k8s.api.core.v1.ObjectReference',
  '',
  () =>
    Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((n) => [
        n,
        a.omitEmpty(a.string()),
      ]),
    ),
  { mapType: 'atomic' },
);
const localReference = a.struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  '',
  () => ({ name: a.omitEmpty(a.string(), 1) }),
  { mapType: 'atomic' },
);
const serviceAccount = a.structSchema(
  topLevel('io.k8s.api.core.v1.ServiceAccount', '', () => ({
    secrets: a.omitEmpty(a.listMap(objectReference, ['name']), 2),
    imagePullSecrets: a.omitEmpty(a.listAtomic(localReference), 3),
    automountServiceAccountToken: a.omitNull(a.boolean(), 4),
  })),
);
const lease = a.structSchema(
  topLevel('io.k8s.api.coordination.v1.Lease', '', () => ({
    spec: a.always(
      a.struct('io.k8s.api.coordination.v1.LeaseSpec', '', () => ({
        holderIdentity: a.omitNull(a.string(), 1),
        leaseDurationSeconds: a.omitNull(a.int32(), 2),
        acquireTime: a.omitNull(a.microTime(), 3),
      })),
      2,
    ),
  })),
);
const role = a.structSchema(
  topLevel('io.k8s.api.rbac.v1.Role', '', () => ({
    rules: a.always(
      a.listAtomic(
        a.struct('io.k8s.api.rbac.v1.PolicyRule', '', () => ({
          verbs: a.required(a.listAtomic(a.string()), 1),
          resources: a.omitEmpty(a.listAtomic(a.string()), 3),
        })),
      ),
      2,
    ),
  })),
);
const secret = a.structSchema(
  topLevel('io.k8s.api.core.v1.Secret', '', () => ({
    immutable: a.omitNull(a.boolean(), 5),
    data: a.omitEmpty(a.map(a.bytes()), 2),
    stringData: a.omitEmpty(a.map(a.string()), 4),
    type: a.omitEmpty(a.string({ typeName: 'v1.SecretType' }), 3),
  })),
);
const tokenRequest = a.structSchema(
  topLevel('io.k8s.api.authentication.v1.TokenRequest', '', () => ({
    spec: a.required(
      a.struct('io.k8s.api.authentication.v1.TokenRequestSpec', '', () => ({
        audiences: a.required(a.listAtomic(a.string()), 1),
        expirationSeconds: a.omitNull(a.int64(), 4),
      })),
      2,
    ),
    extra: a.omitEmpty(a.map(a.list(a.string()))),
    port: a.omitNull(a.intOrString()),
    cpu: a.omitNull(a.quantity()),
    raw: a.omitNull(a.any({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' })),
  })),
);
const bare = { metadata: { creationTimestamp: null } };

describe('texts of bodies that do not decode', () => {
  const into = (field: string, type: string) => `into Go struct field ${field} of type ${type}`;
  const cases: [ObjectSchema, unknown, string][] = [
    [
      serviceAccount,
      { metadata: 'x' },
      `json: cannot unmarshal string ${into('ServiceAccount.metadata', 'v1.ObjectMeta')}`,
    ],
    [
      serviceAccount,
      { metadata: [] },
      `json: cannot unmarshal array ${into('ServiceAccount.metadata', 'v1.ObjectMeta')}`,
    ],
    [
      serviceAccount,
      { metadata: { name: 5 } },
      `json: cannot unmarshal number ${into('ObjectMeta.metadata.name', 'string')}`,
    ],
    [
      serviceAccount,
      { metadata: { labels: [] } },
      `json: cannot unmarshal array ${into('ObjectMeta.metadata.labels', 'map[string]string')}`,
    ],
    [
      serviceAccount,
      { metadata: { labels: { a: 1 } } },
      `json: cannot unmarshal number ${into('ObjectMeta.metadata.labels', 'string')}`,
    ],
    [
      serviceAccount,
      { metadata: { finalizers: 'f' } },
      `json: cannot unmarshal string ${into('ObjectMeta.metadata.finalizers', '[]string')}`,
    ],
    [
      serviceAccount,
      { automountServiceAccountToken: 'true' },
      `json: cannot unmarshal string ${into('ServiceAccount.automountServiceAccountToken', 'bool')}`,
    ],
    [
      serviceAccount,
      { automountServiceAccountToken: 1 },
      `json: cannot unmarshal number ${into('ServiceAccount.automountServiceAccountToken', 'bool')}`,
    ],
    [
      serviceAccount,
      { secrets: {} },
      `json: cannot unmarshal object ${into('ServiceAccount.secrets', '[]v1.ObjectReference')}`,
    ],
    [
      serviceAccount,
      { secrets: ['a'] },
      `json: cannot unmarshal string ${into('ServiceAccount.secrets', 'v1.ObjectReference')}`,
    ],
    [
      serviceAccount,
      { imagePullSecrets: [{ name: 1 }] },
      `json: cannot unmarshal number ${into('LocalObjectReference.imagePullSecrets.name', 'string')}`,
    ],
    [
      serviceAccount,
      { metadata: { generation: 1.5 } },
      `json: cannot unmarshal number 1.5 ${into('ObjectMeta.metadata.generation', 'int64')}`,
    ],
    [
      serviceAccount,
      { metadata: { creationTimestamp: 'yesterday' } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      serviceAccount,
      { metadata: { creationTimestamp: 1 } },
      `json: cannot unmarshal number ${into('ObjectMeta.metadata.creationTimestamp', 'string')}`,
    ],
    [serviceAccount, [], 'json: cannot unmarshal array into Go value of type v1.ServiceAccount'],
    [
      serviceAccount,
      { metadata: { ownerReferences: [{ uid: 1 }] } },
      `json: cannot unmarshal number ${into('OwnerReference.metadata.ownerReferences.uid', 'types.UID')}`,
    ],
    [
      role,
      { rules: [{ verbs: 'get' }] },
      `json: cannot unmarshal string ${into('PolicyRule.rules.verbs', '[]string')}`,
    ],
    [
      lease,
      { spec: { leaseDurationSeconds: 99999999999 } },
      `json: cannot unmarshal number 99999999999 ${into('LeaseSpec.spec.leaseDurationSeconds', 'int32')}`,
    ],
    [
      lease,
      { spec: { acquireTime: '2024-01-01' } },
      'parsing time "2024-01-01" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "" as "T"',
    ],
    [secret, { data: { a: 'not base64!' } }, 'illegal base64 data at input byte 3'],
    [secret, { data: { a: 1 } }, `json: cannot unmarshal number ${into('Secret.data', '[]uint8')}`],
    [secret, { type: 1 }, `json: cannot unmarshal number ${into('Secret.type', 'v1.SecretType')}`],
    [
      tokenRequest,
      { spec: { expirationSeconds: true } },
      `json: cannot unmarshal bool ${into('TokenRequestSpec.spec.expirationSeconds', 'int64')}`,
    ],
    [
      tokenRequest,
      { extra: { a: ['b', {}] } },
      `json: cannot unmarshal object ${into('TokenRequest.extra', 'string')}`,
    ],
    [tokenRequest, { port: 1.5 }, `json: cannot unmarshal number 1.5 ${into('TokenRequest.port', 'int32')}`],
    [tokenRequest, { port: {} }, `json: cannot unmarshal object ${into('TokenRequest.port', 'int32')}`],
    // A quantity is read from what is written there, whatever that is.
    ...['much', {}, { a: 1 }, [], [5], true, false, ''].map((cpu): [typeof tokenRequest, unknown, string] => [
      tokenRequest,
      { cpu },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]),
    // The first failure counts, but types with readers of their own come before.
    [secret, { type: 1, immutable: 'x' }, `json: cannot unmarshal number ${into('Secret.type', 'v1.SecretType')}`],
    [
      secret,
      { type: 1, metadata: { deletionTimestamp: 1 } },
      `json: cannot unmarshal number ${into('ObjectMeta.metadata.deletionTimestamp', 'string')}`,
    ],
  ];
  it.each(cases)('%#', (schema, body, message) => {
    expect(() => decodeTyped(schema, body)).toThrow(new DecodeError(message));
  });

  it('tells numbers as they were written', () => {
    const texts = (digits: string) => new Map([['spec', new Map([['expirationSeconds', digits]])]]);
    const numberTexts = texts('6e2');
    const body = { spec: { expirationSeconds: 600 } };
    expect(() => decodeTyped(tokenRequest, body, { numberTexts })).toThrow(
      'json: cannot unmarshal number 6e2 into Go struct field TokenRequestSpec.spec.expirationSeconds of type int64',
    );
    const big = { spec: { expirationSeconds: 2 ** 63 } };
    const text = (digits: string) => ({ numberTexts: texts(digits) });
    expect(() => decodeTyped(tokenRequest, big, text('9223372036854775808'))).toThrow(
      'number 9223372036854775808 into',
    );
    expect(decodeTyped(tokenRequest, big, text('9223372036854775807')).unknownFields).toEqual([]);
  });
});

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

  it('are told a hundred times at most', () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 1]));
    expect(decodeTyped(role, body).unknownFields).toHaveLength(100);
  });
});

describe('the decoded object', () => {
  it.each([
    ['nothing', serviceAccount, null, bare],
    [
      'empty values',
      serviceAccount,
      { metadata: { name: '', labels: {}, finalizers: [] }, secrets: [], imagePullSecrets: null },
      bare,
    ],
    [
      'a pointer',
      serviceAccount,
      { automountServiceAccountToken: false },
      { ...bare, automountServiceAccountToken: false },
    ],
    [
      'null elements',
      serviceAccount,
      { secrets: [null, { name: 'a', kind: null }] },
      { ...bare, secrets: [{}, { name: 'a' }] },
    ],
    [
      'a null entry',
      serviceAccount,
      { metadata: { labels: { a: null } } },
      { metadata: { creationTimestamp: null, labels: { a: '' } } },
    ],
    ['a null entry of bytes', secret, { data: { a: null } }, { ...bare, data: { a: '' } }],
    ['an always shown list', role, {}, { ...bare, rules: null }],
    ['a zero struct in a list', role, { rules: [null] }, { ...bare, rules: [{ verbs: null }] }],
    ['a struct by value', lease, { spec: null }, { ...bare, spec: {} }],
    [
      'times',
      lease,
      { spec: { acquireTime: '2024-01-02T03:04:05.123456+01:00' } },
      { ...bare, spec: { acquireTime: '2024-01-02T02:04:05.123456Z' } },
    ],
    [
      'a time with a fraction',
      role,
      { metadata: { creationTimestamp: '2024-01-02T03:04:05.9+01:00' } },
      { metadata: { creationTimestamp: '2024-01-02T02:04:05Z' }, rules: null },
    ],
    [
      'bytes',
      secret,
      { data: { a: 'aGk\n=', b: 'aGl=', c: [104, 105] } },
      { ...bare, data: { a: 'aGk=', b: 'aGk=', c: 'aGk=' } },
    ],
    ['quantities', tokenRequest, { cpu: '0.5' }, { ...bare, spec: { audiences: null }, cpu: '500m' }],
    ['a quantity as a number', tokenRequest, { cpu: 2 }, { ...bare, spec: { audiences: null }, cpu: '2' }],
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

  it('leaves the body alone and copies raw parts of it when asked', () => {
    const body = { raw: { a: [1, { b: null }] } };
    expect(decodeTyped(tokenRequest, body).value['raw']).toBe(body.raw);
    const { value } = decodeTyped(tokenRequest, body, { copyRaw: true });
    expect(value['raw']).toEqual(body.raw);
    expect(value['raw']).not.toBe(body.raw);
  });

  it('shares frozen parts that are final', () => {
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

  it('does not take over frozen parts that are not final', () => {
    const body = deepFreeze({ metadata: { labels: {}, name: 'x' }, secrets: [{ name: '', nope: 1 }] });
    const { value, unknownFields } = decodeTyped(serviceAccount, body);
    expect(value).toEqual({ metadata: { name: 'x', creationTimestamp: null }, secrets: [{}] });
    expect(unknownFields).toEqual(['secrets[0].nope']);
  });

  it('survives kinds that contain themselves, to a limit', () => {
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
  it('decoding twice is decoding once; what is frozen comes back as it is', () => {
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
  it('either reads a body or says what is wrong with it', () => {
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
