import type { Draft } from '../../registry/strategy.js';
import { structSchema } from '../../schema/authoring.js';
import type { ObjectSchema, Property } from '../../schema/schema.js';
import { certificatesV1 } from './certificates-v1.js';
import type { CertificateSigningRequest } from './certificates-v1.types.js';

/** The usages that a request may contain (spec 15.1), in the order in which error messages list them. */
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
/** Returns the schema of a certificate signing request for strategic merge patches. It merges conditions by type. */
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
  const changeProperty = ([own, property]: readonly [string, Property]) =>
    [own, own === name ? Object.freeze(change(property)) : property] as const;
  return Object.freeze({ ...schema, properties: new Map([...schema.properties].map(changeProperty)) });
}

export type RequestDraft = Draft<CertificateSigningRequest>;
