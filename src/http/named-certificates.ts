import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { dns1123Subdomain } from '../meta/names.js';
import { parseCertificate } from '../pki/parse-certificate.js';

/** A certificate for clients that ask for some names. */
export interface NamedCertificate {
  /** PEM of the certificate and of those that signed it. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** Host names; `*.` matches one label. Default: those of the certificate. */
  readonly names?: readonly string[];
}

type Choose = (name: string) => SecureContext | undefined;

/**
 * Chooses by the name that a client asks for: exact names before wildcards, names that were given before those of certificates, and the
 * first of several.
 * @param shared what all connections have in common
 * @throws Error for a certificate or key that cannot be read, or that do not belong together
 */
export async function namedCertificates(
  certificates: readonly NamedCertificate[],
  shared: SecureContextOptions,
): Promise<Choose> {
  const contexts = await Promise.all(
    certificates.map(async ({ cert, key, names }) => ({
      context: createSecureContext({ ...shared, cert, key }),
      names: names ?? (await namesOf(cert)),
      isGiven: names !== undefined,
    })),
  );
  const byName = new Map<string, SecureContext>();
  for (const isGiven of [true, false])
    for (const { context, names } of contexts.filter((each) => each.isGiven === isGiven))
      for (const name of names) if (!byName.has(lower(name))) byName.set(lower(name), context);
  return (name) => byName.get(lower(name)) ?? byName.get(lower(name).replace(/^[^.]*/, '*'));
}

const lower = (name: string): string => name.toLowerCase();

/** The host names that a certificate is for. Addresses are none: clients do not ask for them by name. */
async function namesOf(pem: string): Promise<readonly string[]> {
  const { subject, subjectAltNames } = await parseCertificate(new X509Certificate(pem).raw);
  const { commonName } = subject;
  const isName = commonName === '*' || dns1123Subdomain(commonName.replace(/^\*\./, '')).length === 0;
  return [...(isName && isIP(commonName) === 0 ? [commonName] : []), ...(subjectAltNames?.dns ?? [])];
}
