import type { Host } from '../../meta/host.js';
import type { Certificate } from '../../pki/certificate.js';
import { checkStructure, MAX_ELEMENTS } from '../../pki/der/structure.js';
import { CertificateMemory, loadCertificateReader, readChain } from '../../pki/parse-certificate.js';
import { pemCertificates } from '../../pki/pem-certificates.js';
import { messageOf } from '../../values/message-of.js';

/**
 * Trusted certificate authorities as PEM: a fixed value, or a function that returns one. The function is called for every presented
 * certificate, but its result is parsed again only if it has changed.
 */
export type Authorities = string | readonly string[] | (() => string | Promise<string>);

/** The certificate authorities in a PEM string. The same object is used until the PEM string changes. */
interface Bundle {
  /** Returns the certificate authorities. They are parsed at the first call. @throws DerError when one of them is not a certificate */
  roots(): Promise<readonly Certificate[]>;
}

interface TrustedAuthoritiesOptions {
  readonly authorities: Authorities;
  /** The name of the authorities in log messages, such as `client-ca`. */
  readonly bundle: string;
  readonly host: Pick<Host, 'log'>;
}

/**
 * Returns a function that returns the current authorities. If the PEM has changed and cannot be parsed, the previous authorities stay in
 * use.
 * @throws TypeError when a fixed value contains no certificate; DerError when it contains one that is not DER.
 */
function trustedAuthorities({
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
    if (typeof text !== 'string') return text.then((read) => (read === current?.text ? current.bundle : take(read)));
    return text === current?.text ? current.bundle : take(text);
  };
}

/**
 * Returns the DER of the certificates in a PEM bundle. Only the DER structure is checked, so that the modules that read certificates need
 * not be loaded.
 */
function checkBundle(text: string, name: string): readonly Uint8Array[] {
  const ders = pemCertificates(text);
  if (ders.length === 0) throw new TypeError(`missing content for CA bundle "${name}"`);
  for (const der of ders) checkStructure(der, { left: MAX_ELEMENTS });
  return ders;
}

export interface ConnectionCertificatesOptions<Answer> {
  readonly authorities: Authorities;
  /** The name of the authorities in log messages, such as `client-ca`. */
  readonly bundle: string;
  readonly host: Host;
  /** Returns the result for a client certificate that one of the authorities signed. */
  accept(leaf: Certificate): Answer;
  /**
   * Returns the result for a client certificate that is not valid or was not signed by one of the authorities. `leaf` is absent if the
   * certificate could not be parsed.
   */
  refuse(error: Error, leaf?: Certificate): Answer;
}

/** The result for a certificate, and the period in which the result is valid: milliseconds since the epoch, both ends inclusive. */
interface Period<Answer> {
  readonly from: number;
  readonly until: number;
  readonly answer: Answer;
}
/** The result for the certificate of a connection, or a promise of the result while verification is in progress. */
interface Known<Answer> extends Omit<Period<Answer>, 'answer'> {
  readonly bundle: Bundle;
  readonly answer: Answer | Promise<Answer>;
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
/**
 * The maximum number of parsed certificates that are cached. Only certificates of valid chains are cached, so that a client's next
 * connection need not parse them again.
 */
const REMEMBERED = 256;

/**
 * Returns a function that verifies a connection's certificate chain (leaf first, DER, not empty) and returns the result of `accept` or
 * `refuse`. A chain is verified once per connection, whatever the result. For later requests, the function checks only that the validity
 * period of the result has not ended.
 * @throws TypeError when there are no authorities; DerError when one of them cannot be parsed.
 */
export function connectionCertificates<Answer>(
  options: ConnectionCertificatesOptions<Answer>,
): (chain: readonly Uint8Array[]) => Answer | Promise<Answer> {
  const { host, refuse } = options;
  const trusted = trustedAuthorities(options);
  // Created with the first certificate, because most servers in tests never receive one.
  let memory: CertificateMemory | undefined;
  const connections = new WeakMap<readonly Uint8Array[], Known<Answer>>();

  async function verifyAndKeep(chain: readonly Uint8Array[], bundle: Bundle, now: number): Promise<Answer> {
    memory ??= new CertificateMemory(REMEMBERED);
    const period = await verify(chain, bundle, now, memory, options);
    connections.set(chain, { bundle, ...period });
    return period.answer;
  }

  function answerFor(chain: readonly Uint8Array[], bundle: Bundle): Answer | Promise<Answer> {
    const now = host.clock.now();
    const known = connections.get(chain);
    if (known?.bundle === bundle && known.from <= now && now <= known.until) return known.answer;
    const answer = verifyAndKeep(chain, bundle, now);
    connections.set(chain, { bundle, ...ALWAYS, answer });
    return answer;
  }

  return (chain) => {
    let bundle: Bundle | Promise<Bundle>;
    try {
      bundle = trusted();
    } catch (error) {
      return refuse(error instanceof Error ? error : new Error(String(error)));
    }
    if (!(bundle instanceof Promise)) return answerFor(chain, bundle);
    return bundle.then((each) => answerFor(chain, each), refuse);
  };
}

const hex = (bytes: Uint8Array | undefined) =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');

function identifier({ serial, subjectKeyId, authorityKeyId }: Certificate): string {
  return `SN=${serial}, SKID=${hex(subjectKeyId)}, AKID=${hex(authorityKeyId)}`;
}

/** Verifies the chain. Returns the result of `accept` or `refuse`, and the period in which this result is valid. */
async function verify<Answer>(
  chain: readonly Uint8Array[],
  bundle: Bundle,
  now: number,
  memory: CertificateMemory,
  { host, accept, refuse }: ConnectionCertificatesOptions<Answer>,
): Promise<Period<Answer>> {
  try {
    const [roots, [leaf, ...intermediates]] = await Promise.all([bundle.roots(), readChain(chain, memory)]);
    if (!leaf) return { ...ALWAYS, answer: refuse(new Error('x509: no certificate')) };
    const { signatures } = host;
    const { verifyChain } = await import('../../pki/verify-chain.js');
    const result = await verifyChain({ leaf, intermediates, roots, now, usage: 'clientAuth', signatures });
    if (!result.ok) {
      const error = new Error(`verifying certificate ${identifier(leaf)} failed: ${result.error}`);
      return { ...periodOf(now, [leaf, ...intermediates, ...roots]), answer: refuse(error, leaf) };
    }
    for (const certificate of result.chain) memory.keep(certificate);
    return { ...periodOf(now, result.chain), answer: accept(leaf) };
  } catch (error) {
    const why = `x509: malformed certificate: ${messageOf(error)}`;
    return { ...ALWAYS, answer: refuse(new Error(why)) };
  }
}

/** Returns the longest period that contains `now` and in which no certificate becomes valid or expires. */
function periodOf(
  now: number,
  certificates: readonly Certificate[],
): { readonly from: number; readonly until: number } {
  let { from, until } = ALWAYS;
  for (const { notBefore, notAfter } of certificates) {
    // A certificate is valid from `notBefore` on, and `notAfter + 1` is the first millisecond at which it has expired.
    for (const change of [notBefore, notAfter + 1]) {
      if (change <= now) from = Math.max(from, change);
      else until = Math.min(until, change - 1);
    }
  }
  return { from, until };
}
