import { systemRandom } from '../../src/meta/random.js';
import { serialNumber } from '../../src/pki/build-certificate.js';
import { bitString, boolean, integer, octetString, oid, sequence, tagged, time } from '../../src/pki/der/writer.js';
import type { SigningKey } from '../../src/pki/private-key.js';

export interface RawContent {
  /** DER. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** DER, each with its identifier. */
  readonly extensions?: readonly Uint8Array[];
}

export function rawExtension(id: string, value: Uint8Array, critical = false): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** Creates a signed certificate with any content, including invalid names and keys. DER. */
export async function buildRaw(content: RawContent, signer: SigningKey): Promise<Uint8Array> {
  const { issuer, subject, publicKey, notBefore, notAfter, extensions = [] } = content;
  const tbs = sequence(
    tagged(0, integer(Uint8Array.of(2))),
    integer(serialNumber(systemRandom)),
    signer.algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    ...(extensions.length > 0 ? [tagged(3, sequence(...extensions))] : []),
  );
  return sequence(tbs, signer.algorithm, bitString(await signer.sign(tbs)));
}
