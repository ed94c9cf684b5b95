import type { Draft } from '../../registry/strategy.js';
import type { OutputOf } from '../../schema/authoring.js';
import { type PropertyOptions, struct, structSchema 
} from '../../schema/authoring.js';
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
  const status = certificatesV1.struct('CertificateSigningRequestStatus');
  return certificatesV1.struct('CertificateSigningRequest');
}

/** The fields of a CertificateSigningRequest. */
export const certificateSigningRequestSchema = requestSchema({});

let merging: ObjectSchema | undefined;
/** The same where a strategic merge patch merges the conditions by their type. */
export const mergingRequestSchema = (): ObjectSchema =>
  (merging ??= structSchema(requestSchema({ patchStrategy: ['merge'], patchMergeKey: 'type' })));

export type CertificateSigningRequest = OutputOf<typeof certificateSigningRequestSchema>;
export type RequestDraft = Draft<CertificateSigningRequest>;
