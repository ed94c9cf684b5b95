import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { k8s, orch } from '../../src/meta/dialect.js';
import * as a from '../../src/schema/authoring.js';
import { listKind, topLevel } from '../../src/schema/object-meta-schema.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { schemaOf } from '../../src/schema/zod-to-schema.js';
import { goldenSteps, hasSharedData } from '../support/shared-data.js';
import { openApiSchemas } from './openapi-schemas.js';

const core = 'io.k8s.api.core.v1';
const localReference = a.struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  '',
  () => ({ name: a.omitEmpty(a.string(), 1) }),
  { mapType: 'atomic' },
);
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
const serviceAccount = topLevel('io.k8s.api.core.v1.ServiceAccount', '', () => ({
  secrets: a.omitEmpty(a.listMap(objectReference, ['name']), 2, 'x', {
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
  }),
  imagePullSecrets: a.omitEmpty(a.listAtomic(localReference), 3),
  automountServiceAccountToken: a.omitNull(a.boolean(), 4),
}));
const boundReference = a.struct('io.k8s.api.authentication.v1.BoundObjectReference', '', () =>
  Object.fromEntries(['kind', 'apiVersion', 'name', 'uid'].map((n) => [n, a.omitEmpty(a.string())])),
);
const tokenRequest = topLevel('io.k8s.api.authentication.v1.TokenRequest', '', () => ({
  spec: a.required(
    a.struct('io.k8s.api.authentication.v1.TokenRequestSpec', '', () => ({
      audiences: a.required(a.listAtomic(a.string()), 1),
      expirationSeconds: a.omitNull(a.int64(), 4),
      boundObjectRef: a.omitNull(boundReference, 3),
    })),
    2,
  ),
  status: a.always(
    a.struct('io.k8s.api.authentication.v1.TokenRequestStatus', '', () => ({
      token: a.required(a.string(), 1),
      expirationTimestamp: a.required(a.time(), 2),
    })),
    3,
  ),
}));
const secret = topLevel('io.k8s.api.core.v1.Secret', '', () => ({
  immutable: a.omitNull(a.boolean(), 5),
  data: a.omitEmpty(a.map(a.bytes()), 2),
  stringData: a.omitEmpty(a.map(a.string()), 4),
  type: a.omitEmpty(a.string(), 3),
}));
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
const csr = topLevel('io.k8s.api.certificates.v1.CertificateSigningRequest', '', () => ({
  spec: a.required(
    a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestSpec', '', () => ({
      request: a.required(a.bytes({ listType: 'atomic' }), 1),
      signerName: a.required(a.string(), 7),
      expirationSeconds: a.omitNull(a.int32(), 8),
      usages: a.omitEmpty(a.listAtomic(a.string({ enum: usages })), 5),
      username: a.omitEmpty(a.string(), 2),
      uid: a.omitEmpty(a.string(), 3),
      groups: a.omitEmpty(a.listAtomic(a.string()), 4),
      extra: a.omitEmpty(a.map(a.list(a.string())), 6),
    })),
    2,
  ),
  status: a.always(
    a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestStatus', '', () => ({
      conditions: a.omitEmpty(
        a.listMap(
          a.struct('io.k8s.api.certificates.v1.CertificateSigningRequestCondition', '', () => ({
            type: a.required(a.string(), 1),
            status: a.required(a.string(), 6),
            reason: a.omitEmpty(a.string(), 2),
            message: a.omitEmpty(a.string(), 3),
            lastUpdateTime: a.always(a.time(), 4),
            lastTransitionTime: a.always(a.time(), 5),
          })),
          ['type'],
        ),
        1,
      ),
      certificate: a.omitEmpty(a.bytes({ listType: 'atomic' }), 2),
    })),
    3,
  ),
}));

const kinds = {
  ServiceAccount: ['', 'v1'],
  Secret: ['', 'v1'],
  TokenRequest: ['authentication.k8s.io', 'v1'],
  CertificateSigningRequest: ['certificates.k8s.io', 'v1'],
} as const;
const roots = [serviceAccount, secret, tokenRequest, csr, listKind(`${core}.ServiceAccountList`, serviceAccount)].map(
  (zod) => {
    const schema = a.structSchema(zod);
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

describe.skipIf(!hasSharedData)('components equal the recorded ones', () => {
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
  it("omits defaults and the dialect's extensions in version 2", () => {
    const { 'io.orch.api.core.v1.ServiceAccount': made } = openApiSchemas(roots, { dialect: orch, version: 2 });
    expect(withoutDescriptions(made)).toEqual({
      type: 'object',
      'x-orch-group-version-kind': [{ group: '', kind: 'ServiceAccount', version: 'v1' }],
      properties: {
        kind: { type: 'string' },
        apiVersion: { type: 'string' },
        metadata: { $ref: '#/definitions/io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        automountServiceAccountToken: { type: 'boolean' },
        imagePullSecrets: {
          type: 'array',
          'x-orch-list-type': 'atomic',
          items: { $ref: `#/definitions/io.orch.api.core.v1.LocalObjectReference` },
        },
        secrets: {
          type: 'array',
          'x-orch-list-type': 'map',
          'x-orch-list-map-keys': ['name'],
          'x-orch-patch-merge-key': 'name',
          'x-orch-patch-strategy': 'merge',
          items: { $ref: `#/definitions/io.orch.api.core.v1.ObjectReference` },
        },
      },
    });
  });

  it('returns the schema that openApiToSchema parsed', () => {
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

  it('stops at a recursive struct without a name', () => {
    const node = z.object({
      n: z.int(),
      get next() {
        return z.optional(node);
      },
    });
    const { x } = openApiSchemas([{ name: 'x', schema: schemaOf(node) as ObjectSchema }], { dialect: k8s });
    expect(x).toEqual({
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer' }, next: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });
  });
});
