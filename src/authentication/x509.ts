import { type Certificate, parseCertificate, parseCertificates } from '../pki/certificate.js';
import { verifyClientChain } from '../pki/verify-chain.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from './authenticator.js';

export interface X509Options {
  /** Trusted authorities, PEM: fixed, or asked for each time and read again when the text is another. */
  readonly clientCA: string | readonly string[] | (() => string);
}

/** What is known of one connection's certificate. */
interface Known {
  readonly roots: readonly Certificate[];
  /** Milliseconds since the epoch, both inclusive, between which the answer holds. */
  from: number;
  until: number;
  answer: AuthenticationResult | Promise<AuthenticationResult>;
}

/** How long a refusal of one connection's certificate holds, in milliseconds: hostile chains are costly to look at. */
const REFUSAL_HOLDS = 1000;

/** The authorities of a PEM text. @throws TypeError when there are none. */
function readRoots(pem: string): readonly Certificate[] {
  const roots = parseCertificates(pem);
  if (roots.length === 0) throw new TypeError('missing content for CA bundle "client-ca"');
  return roots;
}

/** The authorities as they are now; broken new text keeps the old ones. */
function trustedRoots(clientCA: X509Options['clientCA'], log: (message: string) => void): () => readonly Certificate[] {
  if (typeof clientCA !== 'function') {
    const fixed = readRoots(typeof clientCA === 'string' ? clientCA : clientCA.join('\n'));
    return () => fixed;
  }
  let text = clientCA();
  let roots = readRoots(text);
  return () => {
    const next = clientCA();
    if (next === text) return roots;
    text = next;
    try {
      roots = readRoots(next);
    } catch (error) {
      log(`client CA not reloaded: ${error instanceof Error ? error.message : error}`);
    }
    return roots;
  };
}

const hex = (bytes: Uint8Array | undefined) =>
  Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');

function identifier({ serial, subjectKeyId, authorityKeyId }: Certificate): string {
  return `SN=${serial}, SKID=${hex(subjectKeyId)}, AKID=${hex(authorityKeyId)}`;
}

/** Verifies the chain and says between which times the answer holds. */
async function verify(
  chain: readonly Uint8Array[],
  roots: readonly Certificate[],
  now: number,
): Promise<Omit<Known, 'roots'>> {
  const refusal = (error: unknown) => ({ from: now, until: now + REFUSAL_HOLDS, answer: rejected(error) });
  try {
    const [leaf, ...intermediates] = chain.map(parseCertificate);
    if (!leaf) return { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, answer: skipped };
    const result = await verifyClientChain({ leaf, intermediates, roots, now, usage: 'clientAuth' });
    if (!result.ok) return refusal(new Error(`verifying certificate ${identifier(leaf)} failed: ${result.error}`));
    const { commonName: username, organizations: groups } = leaf.subject;
    const user = Object.freeze({ username, groups: Object.freeze(groups) });
    return {
      from: Math.max(...result.chain.map((c) => c.notBefore)),
      until: Math.min(...result.chain.map((c) => c.notAfter)),
      answer: username === '' ? skipped : Object.freeze({ outcome: 'authenticated', user, authenticator: 'x509' }),
    };
  } catch (error) {
    return refusal(new Error(`x509: malformed certificate: ${error instanceof Error ? error.message : error}`));
  }
}

/**
 * TLS client certificates: the common name is the user, each organization a group; without a common name the certificate
 * says nothing (document 2, section 5.2; gap file auth, 5.2.1). A connection's chain is verified once; after that only its
 * time is looked at.
 * @throws TypeError when `clientCA` holds no certificate; DerError when it holds a broken one.
 */
export function x509({ clientCA }: X509Options): AuthenticatorFactory {
  return (host) => {
    const trusted = trustedRoots(clientCA, (message) => host.log(message));
    const connections = new WeakMap<readonly Uint8Array[], Known>();

    function lookAt(chain: readonly Uint8Array[], roots: readonly Certificate[], now: number): Known {
      const known: Known = { roots, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, answer: skipped };
      known.answer = verify(chain, roots, now).then((verified) => Object.assign(known, verified).answer);
      connections.set(chain, known);
      return known;
    }

    return {
      name: 'x509',
      authenticate({ peerCertificates: chain }) {
        if (!chain || chain.length === 0) return skipped;
        const now = host.clock.now();
        const roots = trusted();
        const known = connections.get(chain);
        if (known?.roots === roots && known.from <= now && now <= known.until) return known.answer;
        return lookAt(chain, roots, now).answer;
      },
    };
  };
}
