import type { Draft } from '../../registry/strategy.js';
import type { OutputOf } from '../../schema/authoring.js';
import {
  always,
  bytes,
  int32,
  list,
  listAtomic,
  listMap,
  map,
  omitEmpty,
  omitNull,
  type PropertyOptions,
  required,
  string,
  struct,
  structSchema,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';

/** What a certificate may be asked for (spec 15.1), as messages list them. */
export const requestableUsages = [
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
] as const;

const condition = struct(
  'io.k8s.api.certificates.v1.CertificateSigningRequestCondition',
  'A condition of a request.',
  () => ({
    type: required(
      string({ typeName: 'v1.RequestConditionType' }),
      1,
      'Approved, Denied, Failed, or a type of a signer’s own.',
    ),
    status: required(string({ typeName: 'v1.ConditionStatus' }), 6, 'True, False or Unknown.'),
    reason: omitEmpty(string(), 2, 'The reason, in one word.'),
    message: omitEmpty(string(), 3, 'The reason, for people.'),
    lastUpdateTime: always(time(), 4, 'When it was last written.'),
    lastTransitionTime: always(time(), 5, 'When its status last changed.'),
  }),
);

const spec = struct(
  'io.k8s.api.certificates.v1.CertificateSigningRequestSpec',
  'The request, its requester and its signer.',
  () => ({
    request: required(bytes({ listType: 'atomic' }), 1, 'A PKCS #10 request in PEM form.'),
    signerName: required(string(), 7, 'The signer.'),
    expirationSeconds: omitNull(
      int32(),
      8,
      'How long the certificate is wanted to be valid, at least 600 seconds; a signer may shorten it.',
    ),
    usages: omitEmpty(
      listAtomic(string<string>({ typeName: 'v1.KeyUsage', enum: requestableUsages })),
      5,
      'The usages of the certificate.',
    ),
    username: omitEmpty(string(), 2, 'The requester; set by the server.'),
    uid: omitEmpty(string(), 3, 'Uid of the requester; set by the server.'),
    groups: omitEmpty(listAtomic(string()), 4, 'Groups of the requester; set by the server.'),
    extra: omitEmpty(
      map(list(string(), { typeName: 'v1.ExtraValue' })),
      6,
      'Extra attributes of the requester; set by the server.',
    ),
  }),
);

function requestSchema(conditionsPatch: PropertyOptions) {
  const status = struct(
    'io.k8s.api.certificates.v1.CertificateSigningRequestStatus',
    'The state of the request.',
    () => ({
      conditions: omitEmpty(listMap(condition, ['type']), 1, 'The state of the request.', conditionsPatch),
      certificate: omitEmpty(
        bytes({ listType: 'atomic' }),
        2,
        'The certificate in PEM form, maybe followed by intermediate ones.',
      ),
    }),
  );
  return topLevel(
    'io.k8s.api.certificates.v1.CertificateSigningRequest',
    'Asks a signer for an X.509 certificate.',
    () => ({
      spec: required(spec, 2, 'The request; immutable.'),
      status: always(status, 3, 'The state of the request.'),
    }),
  );
}

/** The fields of a CertificateSigningRequest. */
export const certificateSigningRequestSchema = requestSchema({});

let merging: ObjectSchema | undefined;
/** The same where a strategic merge patch merges the conditions by their type. */
export const mergingRequestSchema = (): ObjectSchema =>
  (merging ??= structSchema(requestSchema({ patchStrategy: ['merge'], patchMergeKey: 'type' })));

export type CertificateSigningRequest = OutputOf<typeof certificateSigningRequestSchema>;
export type RequestDraft = Draft<CertificateSigningRequest>;
export type RequestCondition = OutputOf<typeof condition>;
