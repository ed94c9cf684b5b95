import type { Host } from '../meta/host.js';
import { type Certificate, parseCertificate, parseCertificates } from '../pki/certificate.js';
import { verifyClientChain } from '../pki/verify-chain.js';

/** Trusted authorities, PEM: fixed, or asked for each time and read again when the text is another. */
export type Authorities = string | readonly string[] | (() => string);

export interface ConnectionCertificatesOptions<Answer> {
  readonly authorities: Authorities;
  /** How messages name the authorities: `client-ca`. */
  readonly bundle: string;
  readonly host: Host;
  /** What a certificate of the authorities means. */
  accept(leaf: Certificate): Answer;
  /** What any other certificate means. */
  refuse(error: Error): Answer;
}

/** What is known of one connection's certificate. */
interface Known<Answer> {
  readonly roots: readonly Certificate[];
  /** Milliseconds since the epoch, both inclusive, between which the answer holds. */
  from: number;
  until: number;
  answer: Answer | Promise<Answer>;
}

/** How long a refusal of one connection's certificate holds, in milliseconds: hostile chains are costly to look at. */
const REFUSAL_HOLDS = 1000;

/**
 * Answers for connections' certificate chains, leaf first, DER (gap file auth, 5.2.1). A connection's chain is verified once;
 * after that only its time is looked at. Chains must not be empty.
 * @throws TypeError when there are no authorities; DerError when one of them is broken.
 */
export function connectionCertificates<Answer>(
  options: ConnectionCertificatesOptions<Answer>,
): (chain: readonly Uint8Array[]) => Answer | Promise<Answer> {
  const { host } = options;
  const trusted = trustedRoots(options);
  const connections = new WeakMap<readonly Uint8Array[], Known<Answer>>();

  function lookAt(chain: readonly Uint8Array[], roots: readonly Certificate[], now: number): Answer | Promise<Answer> {
    const verifying = verify(chain, roots, now, options).then((verified) => Object.assign(known, verified).answer);
    const known: Known<Answer> = {
      roots,
      from: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
      answer: verifying,
    };
    connections.set(chain, known);
    return verifying;
  }

  return (chain) => {
    const now = host.clock.now();
    const roots = trusted();
    const known = connections.get(chain);
    if (known?.roots === roots && known.from <= now && now <= known.until) return known.answer;
    return lookAt(chain, roots, now);
  };
}

/** The authorities of a PEM text. @throws TypeError when there are none. */
function readRoots(pem: string, bundle: string): readonly Certificate[] {
  const roots = parseCertificates(pem);
  if (roots.length === 0) throw new TypeError(`missing content for CA bundle "${bundle}"`);
  return roots;
}

/** The authorities as they are now; broken new text keeps the old ones. */
function trustedRoots<Answer>({
  authorities,
  bundle,
  host,
}: ConnectionCertificatesOptions<Answer>): () => readonly Certificate[] {
  if (typeof authorities !== 'function') {
    const fixed = readRoots(typeof authorities === 'string' ? authorities : authorities.join('\n'), bundle);
    return () => fixed;
  }
  let text = authorities();
  let roots = readRoots(text, bundle);
  return () => {
    const next = authorities();
    if (next === text) return roots;
    text = next;
    try {
      roots = readRoots(next, bundle);
    } catch (error) {
      host.log(`${bundle.replace('-ca', ' CA')} not reloaded: ${error instanceof Error ? error.message : error}`);
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
async function verify<Answer>(
  chain: readonly Uint8Array[],
  roots: readonly Certificate[],
  now: number,
  { host, accept, refuse }: ConnectionCertificatesOptions<Answer>,
): Promise<{ readonly from: number; readonly until: number; readonly answer: Answer }> {
  const refusal = (message: string) => ({ from: now, until: now + REFUSAL_HOLDS, answer: refuse(new Error(message)) });
  try {
    const [leaf, ...intermediates] = chain.map(parseCertificate);
    if (!leaf) return refusal('x509: no certificate');
    const result = await verifyClientChain({
      leaf,
      intermediates,
      roots,
      now,
      usage: 'clientAuth',
      signatures: host.signatures,
    });
    if (!result.ok) return refusal(`verifying certificate ${identifier(leaf)} failed: ${result.error}`);
    return {
      from: Math.max(...result.chain.map((c) => c.notBefore)),
      until: Math.min(...result.chain.map((c) => c.notAfter)),
      answer: accept(leaf),
    };
  } catch (error) {
    return refusal(`x509: malformed certificate: ${error instanceof Error ? error.message : error}`);
  }
}
