import { nativeCrypto, nativeSignatures } from './native-signatures.js';
import type { RuntimeKey, Signatures } from './signatures.js';
import { webSignatures } from './web-signatures.js';

/** The cryptography of a runtime, which can also generate random keys. */
interface RuntimeSignatures extends Signatures {
  generateKey(): RuntimeKey | Promise<RuntimeKey>;
}

let chosen: RuntimeSignatures | undefined;

/** Chooses the implementation on first use, because loading Node's module costs more than making a server. */
function runtime(): RuntimeSignatures {
  if (chosen) return chosen;
  const native = nativeCrypto();
  return (chosen = native ? nativeSignatures(native) : webSignatures);
}

/** The runtime's signatures: Node's own, which are synchronous, and WebCrypto elsewhere. */
export const systemSignatures: Signatures = {
  verify: (scheme, publicKey, signature, data) => runtime().verify(scheme, publicKey, signature, data),
  signer: (scheme, pkcs8) => runtime().signer(scheme, pkcs8),
  digest: (hash, data) => runtime().digest(hash, data),
};

/** Makes a random P-256 key of the runtime. */
export function generateSystemKey(): RuntimeKey | Promise<RuntimeKey> {
  return runtime().generateKey();
}
