import { nativeCrypto, nativeSignatures } from './native-signatures.js';
import type { Signatures } from './signatures.js';
import { webSignatures } from './web-signatures.js';

let chosen: Signatures | undefined;

/** Chosen at the first question: Node's module costs more to load than a server to make. */
function runtime(): Signatures {
  if (chosen) return chosen;
  const native = nativeCrypto();
  return (chosen = native ? nativeSignatures(native) : webSignatures);
}

/** The runtime's: Node's own, which answers at once, and WebCrypto elsewhere. */
export const systemSignatures: Signatures = {
  verify: (scheme, publicKey, signature, data) => runtime().verify(scheme, publicKey, signature, data),
  signer: (scheme, pkcs8) => runtime().signer(scheme, pkcs8),
  digest: (hash, data) => runtime().digest(hash, data),
};
