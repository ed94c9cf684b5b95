import type { Draft } from '../../registry/strategy.js';
import { structSchema } from '../../schema/authoring.js';
import type { ObjectSchema, Property } from '../../schema/schema.js';
import { certificatesV1 } from './certificates-v1.js';
import type { CertificateSigningRequest } from './certificates-v1.types.js';

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

let merging: ObjectSchema | undefined;
/** The schema of a request where a strategic merge patch merges the conditions by their type. */
export function mergingRequestSchema(): ObjectSchema {
  merging ??= withProperty(structSchema(certificatesV1.struct('CertificateSigningRequest')), 'status', (status) => ({
    ...status,
    schema: withProperty(status.schema as ObjectSchema, 'conditions', (conditions) => ({
      ...conditions,
      patchStrategy: ['merge'],
      patchMergeKey: 'type',
    })),
  }));
  return merging;
}

function withProperty(schema: ObjectSchema, name: string, change: (property: Property) => Property): ObjectSchema {
  const changed = ([own, property]: readonly [string, Property]) =>
    [own, own === name ? Object.freeze(change(property)) : property] as const;
  return Object.freeze({ ...schema, properties: new Map([...schema.properties].map(changed)) });
}

export type RequestDraft = Draft<CertificateSigningRequest>;
