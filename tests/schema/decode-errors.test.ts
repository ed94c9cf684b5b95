import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import { decodeTyped } from '../../src/schema/decode.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { lease, role, secret, serviceAccount, tokenRequest } from './decoded-kinds.js';

describe('errors of bodies that do not decode', () => {
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
    // A quantity is parsed from the text of any JSON value.
    ...['much', {}, { a: 1 }, [], [5], true, false, ''].map((cpu): [typeof tokenRequest, unknown, string] => [
      tokenRequest,
      { cpu },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]),
    // The first error is reported, except that types with their own decoders come before others.
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

  it('quote numbers as they were written', () => {
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
