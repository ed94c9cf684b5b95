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
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import { schemaOf } from '../../schema/zod-to-schema.js';

const V1 = 'io.k8s.api.certificates.v1';

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
  `${V1}.CertificateSigningRequestCondition`,
  {
    type: required(
      string({ typeName: 'v1.RequestConditionType' }),
      'Approved, Denied, Failed, or a type of a signer’s own.',
    ),
    status: required(string({ typeName: 'v1.ConditionStatus' }), 'True, False or Unknown.'),
    reason: omitEmpty(string(), 'The reason, in one word.'),
    message: omitEmpty(string(), 'The reason, for people.'),
    lastUpdateTime: always(time(), 'When it was last written.'),
    lastTransitionTime: always(time(), 'When its status last changed.'),
  },
  { description: 'A condition of a request.' },
);

const spec = struct(
  `${V1}.CertificateSigningRequestSpec`,
  {
    request: required(bytes({ listType: 'atomic' }), 'A PKCS #10 request in PEM form.'),
    signerName: required(string(), 'The signer.'),
    expirationSeconds: omitNull(
      int32(),
      'How long the certificate is wanted to be valid, at least 600 seconds; a signer may shorten it.',
    ),
    usages: omitEmpty(
      listAtomic(string<string>({ typeName: 'v1.KeyUsage', enum: requestableUsages })),
      'The usages of the certificate.',
    ),
    username: omitEmpty(string(), 'The requester; set by the server.'),
    uid: omitEmpty(string(), 'Uid of the requester; set by the server.'),
    groups: omitEmpty(listAtomic(string()), 'Groups of the requester; set by the server.'),
    extra: omitEmpty(
      map(list(string(), { typeName: 'v1.ExtraValue' })),
      'Extra attributes of the requester; set by the server.',
    ),
  },
  { description: 'The request, its requester and its signer.' },
);

function requestSchema(conditionsPatch: PropertyOptions) {
  const status = struct(
    `${V1}.CertificateSigningRequestStatus`,
    {
      conditions: omitEmpty(listMap(condition, ['type']), 'The state of the request.', conditionsPatch),
      certificate: omitEmpty(
        bytes({ listType: 'atomic' }),
        'The certificate in PEM form, maybe followed by intermediate ones.',
      ),
    },
    { description: 'The state of the request.' },
  );
  return topLevel(
    `${V1}.CertificateSigningRequest`,
    {
      spec: required(spec, 'The request; immutable.'),
      status: always(status, 'The state of the request.'),
    },
    { description: 'Asks a signer for an X.509 certificate.' },
  );
}

/** The fields of a CertificateSigningRequest. */
export const certificateSigningRequestSchema = requestSchema({});

let merging: ObjectSchema | undefined;
/** The same where a strategic merge patch merges the conditions by their type. */
export const mergingRequestSchema = (): ObjectSchema =>
  (merging ??= schemaOf(requestSchema({ patchStrategy: ['merge'], patchMergeKey: 'type' })) as ObjectSchema); // a struct

export type CertificateSigningRequest = OutputOf<typeof certificateSigningRequestSchema>;
export type RequestDraft = Draft<CertificateSigningRequest>;
export type RequestCondition = OutputOf<typeof condition>;
