import type { Host } from '../../meta/host.js';
import type { Certificate } from '../../pki/certificate.js';
import { checkStructure, MAX_ELEMENTS } from '../../pki/der/structure.js';
import { loadCertificateReader } from '../../pki/parse-certificate.js';
import { pemCertificates } from '../../pki/pem-certificates.js';
import { messageOf } from '../../values/message-of.js';

/**
 * Trusted authorities, PEM. They are fixed, or returned by a function that runs for each certificate, first when one arrives; a changed
 * text is parsed again.
 */
export type Authorities = string | readonly string[] | (() => string | Promise<string>);

/** The authorities of one PEM text. As long as the text is unchanged, so is the bundle. */
export interface Bundle {
  /** Returns the parsed authorities, which are parsed on first use. @throws DerError when one of them is not a certificate */
  roots(): Promise<readonly Certificate[]>;
}

export interface TrustedAuthoritiesOptions {
  readonly authorities: Authorities;
  /** How messages name the authorities: `client-ca`. */
  readonly bundle: string;
  readonly host: Pick<Host, 'log'>;
}

/**
 * Returns a function that gives the current authorities. When a changed text is broken, the previous authorities remain.
 * @throws TypeError when fixed authorities are not certificates; DerError when one of them is not DER.
 */
export function trustedAuthorities({
  authorities,
  bundle: name,
  host,
}: TrustedAuthoritiesOptions): () => Bundle | Promise<Bundle> {
  let lastGood: readonly Certificate[] | undefined;
  let current: { readonly text: string; readonly bundle: Bundle } | undefined;

  const notLoaded = (error: unknown) => host.log(`${name.replace('-ca', ' CA')} not loaded: ${messageOf(error)}`);

  function read(text: string): Bundle {
    const ders = checkBundle(text, name);
    const parse = async () => {
      const { readCertificate } = await loadCertificateReader();
      try {
        return (lastGood = ders.map((der) => readCertificate(der)));
      } catch (error) {
        notLoaded(error);
        if (!lastGood) throw error;
        return lastGood;
      }
    };
    let roots: Promise<readonly Certificate[]> | undefined;
    return { roots: () => (roots ??= parse()) };
  }

  function take(text: string): Bundle {
    if (text === current?.text) return current.bundle;
    let bundle: Bundle;
    try {
      bundle = read(text);
    } catch (error) {
      if (!current) throw error;
      notLoaded(error);
      bundle = current.bundle;
    }
    current = { text, bundle };
    return bundle;
  }

  if (typeof authorities !== 'function') {
    const fixed = read(typeof authorities === 'string' ? authorities : authorities.join('\n'));
    return () => fixed;
  }
  return () => {
    const text = authorities();
    return typeof text === 'string' ? take(text) : text.then(take);
  };
}

/** Checks a bundle without loading the packages that read certificates. */
function checkBundle(text: string, name: string): readonly Uint8Array[] {
  const ders = pemCertificates(text);
  if (ders.length === 0) throw new TypeError(`missing content for CA bundle "${name}"`);
  for (const der of ders) checkStructure(der, { left: MAX_ELEMENTS });
  return ders;
}
