import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { k8s, orch } from '../../src/meta/dialect.js';
import * as a from '../../src/schema/authoring.js';
import { listKind, topLevel } from '../../src/schema/object-meta-schema.js';
import { openApiSchemas } from '../../src/schema/openapi.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { schemaOf, type ZodLike } from '../../src/schema/zod-to-schema.js';
import { goldenSteps, hasSharedData } from '../support/shared-data.js';

const core = 'io.k8s.api.core.v1';
const object = (zod: ZodLike): ObjectSchema => {
  const schema = schemaOf(zod);
  if (schema.type !== 'object') throw new Error('no object');
  return schema;
};
const localReference = a.struct(
  `${core}.LocalObjectReference`,
  { name: a.omitEmpty(a.string()) },
  { mapType: 'atomic' },
);
const objectReference = a.struct(
  `${core}.ObjectReference`,
  Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((n) => [
      n,
      a.omitEmpty(a.string()),
    ]),
  ),
  { mapType: 'atomic' },
);
const serviceAccount = topLevel(`${core}.ServiceAccount`, {
  secrets: a.omitEmpty(a.listMap(objectReference, ['name']), 'x', { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  imagePullSecrets: a.omitEmpty(a.listAtomic(localReference)),
  automountServiceAccountToken: a.omitNull(a.boolean()),
});
const boundReference = a.struct(
  'io.k8s.api.authentication.v1.BoundObjectReference',
  Object.fromEntries(['kind', 'apiVersion', 'name', 'uid'].map((n) => [n, a.omitEmpty(a.string())])),
);
const tokenRequest = topLevel('io.k8s.api.authentication.v1.TokenRequest', {
  spec: a.required(
    a.struct('io.k8s.api.authentication.v1.TokenRequestSpec', {
      audiences: a.required(a.listAtomic(a.string())),
      expirationSeconds: a.omitNull(a.int64()),
      boundObjectRef: a.omitNull(boundReference),
    }),
  ),
  status: a.always(
    a.struct('io.k8s.api.authentication.v1.TokenRequestStatus', {
      token: a.required(a.string()),
      expirationTimestamp: a.required(a.time()),
    }),
  ),
});
const secret = topLevel(`${core}.Secret`, {
  immutable: a.omitNull(a.boolean()),
  data: a.omitEmpty(a.map(a.bytes())),
  stringData: a.omitEmpty(a.map(a.string())),
  type: a.omitEmpty(a.string()),
});
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const csr = topLevel('io.k8s.api.certificates.v1.CertificateSigningRequest', {
  spec: a.required(
    a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestSpec', {
      request: a.required(a.bytes({ listType: 'atomic' })),
      signerName: a.required(a.string()),
      expirationSeconds: a.omitNull(a.int32()),
      usages: a.omitEmpty(a.listAtomic(a.string({ enum: usages }))),
      username: a.omitEmpty(a.string()),
      uid: a.omitEmpty(a.string()),
      groups: a.omitEmpty(a.listAtomic(a.string())),
      extra: a.omitEmpty(a.map(a.list(a.string()))),
    }),
  ),
  status: a.always(
    a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestStatus', {
      conditions: a.omitEmpty(
        a.listMap(
          a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestCondition', {
            type: a.required(a.string()),
            status: a.required(a.string()),
            reason: a.omitEmpty(a.string()),
            message: a.omitEmpty(a.string()),
            lastUpdateTime: a.always(a.time()),
            lastTransitionTime: a.always(a.time()),
          }),
          ['type'],
        ),
      ),
      certificate: a.omitEmpty(a.bytes({ listType: 'atomic' })),
    }),
  ),
});

const kinds = {
  ServiceAccount: ['', 'v1'],
  Secret: ['', 'v1'],
  TokenRequest: ['authentication.k8s.io', 'v1'],
  CertificateSigningRequest: ['certificates.k8s.io', 'v1'],
} as const;
const roots = [serviceAccount, secret, tokenRequest, csr, listKind(`${core}.ServiceAccountList`, serviceAccount)].map(
  (zod) => {
    const schema = object(zod);
    const kind = schema.definition?.split('.').at(-1) ?? '';
    const [group, version] = kind in kinds ? kinds[kind as keyof typeof kinds] : (['', 'v1'] as const);
    return { schema, groupVersionKinds: [{ group, version, kind }] };
  },
);

const withoutDescriptions = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      name === 'description' && typeof member === 'string' ? undefined : member,
    ),
  );

describe.skipIf(!hasSharedData)('components are the recorded ones', () => {
  const made = hasSharedData ? openApiSchemas(roots, { dialect: k8s }) : {};
  const steps = hasSharedData ? goldenSteps('discovery/openapi').filter(({ step }) => step in made) : [];
  it.each(steps)('$step', ({ step, body }) => {
    const recorded = body as { required?: string[] };
    const ours = withoutDescriptions(made[step]) as typeof recorded;
    expect({ ...ours, required: ours.required?.toSorted() }).toEqual({
      ...recorded,
      required: recorded.required?.toSorted(),
    });
  });
  it('covers the kinds', () => expect(steps.length).toBeGreaterThanOrEqual(10));
});

describe('openApiSchemas', () => {
  it('writes version 2 without defaults and the extensions of the dialect', () => {
    const { [`${core}.ServiceAccount`]: made } = openApiSchemas(roots, { dialect: orch, version: 2 });
    expect(withoutDescriptions(made)).toEqual({
      type: 'object',
      'x-orch-group-version-kind': [{ group: '', kind: 'ServiceAccount', version: 'v1' }],
      properties: {
        kind: { type: 'string' },
        apiVersion: { type: 'string' },
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        automountServiceAccountToken: { type: 'boolean' },
        imagePullSecrets: {
          type: 'array',
          'x-orch-list-type': 'atomic',
          items: { $ref: `#/definitions/${core}.LocalObjectReference` },
        },
        secrets: {
          type: 'array',
          'x-orch-list-type': 'map',
          'x-orch-list-map-keys': ['name'],
          'x-orch-patch-merge-key': 'name',
          'x-orch-patch-strategy': 'merge',
          items: { $ref: `#/definitions/${core}.ObjectReference` },
        },
      },
    });
  });

  it('gives back what openApiToSchema read', () => {
    const given = {
      type: 'object',
      required: ['n'],
      properties: {
        n: { type: 'integer', minimum: 1, default: 2 },
        l: { type: 'array', items: { type: 'string', maxLength: 3 }, 'x-kubernetes-list-type': 'set' },
        m: {
          type: 'object',
          additionalProperties: { type: 'number', format: 'double' },
          'x-kubernetes-map-type': 'atomic',
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        nul: { type: 'string', nullable: true, description: 'a text', enum: ['a', 'b'] },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        ios: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        one: {
          type: 'object',
          properties: { x: { type: 'string' } },
          oneOf: [{ required: ['x'] }, { not: { required: ['x'] } }],
        },
        ruled: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
      },
    };
    const schema = openApiToSchema(given) as ObjectSchema; // of type object
    expect(openApiSchemas([{ name: 'x', schema, impliedDefaults: false }], { dialect: k8s })).toEqual({ x: given });
  });

  it('stops at a struct without a name inside itself', () => {
    const node = z.object({
      n: z.int(),
      get next() {
        return z.optional(node);
      },
    });
    const { x } = openApiSchemas([{ name: 'x', schema: object(node) }], { dialect: k8s });
    expect(x).toEqual({
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer' }, next: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });
  });
});
