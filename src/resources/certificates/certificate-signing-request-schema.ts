import type { Draft } from '../../registry/strategy.js';
import type { OutputOf } from '../../schema/authoring.js';
import {
  always,
  bytes,
  listMap,
  omitEmpty,
  type PropertyOptions,
  required,
  struct,
  structSchema,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import { certificatesV1 } from './certificates-v1.js';

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

function requestSchema(conditionsPatch: PropertyOptions) {
  const status = struct(
    'io.k8s.api.certificates.v1.CertificateSigningRequestStatus',
    'The state of the request.',
    () => ({
      conditions: omitEmpty(
        listMap(certificatesV1.struct('CertificateSigningRequestCondition'), ['type']),
        1,
        'The state of the request.',
        conditionsPatch,
      ),
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
      spec: required(certificatesV1.struct('CertificateSigningRequestSpec'), 2, 'The request; immutable.'),
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
