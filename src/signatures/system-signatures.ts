import { nativeCrypto, nativeSignatures } from './native-signatures.js';
import type { RuntimeKey, Signatures } from './signatures.js';
import { webSignatures } from './web-signatures.js';

/** The cryptography of a runtime, which can also generate random keys. */
interface RuntimeSignatures extends Signatures {
  generateKey(): RuntimeKey | Promise<RuntimeKey>;
}

let chosen: RuntimeSignatures | undefined;

/** Returns the implementation of the runtime. It is chosen on first use, because loading Node's module costs more than making a server. */
function runtime(): RuntimeSignatures {
  if (chosen) return chosen;
  const native = nativeCrypto();
  return (chosen = native ? nativeSignatures(native) : webSignatures);
}

/** The signatures of the runtime: in Node its own synchronous functions, and in other runtimes WebCrypto. */
export const systemSignatures: Signatures = {
  verify: (scheme, publicKey, signature, data) => runtime().verify(scheme, publicKey, signature, data),
  signer: (scheme, pkcs8) => runtime().signer(scheme, pkcs8),
  digest: (hash, data) => runtime().digest(hash, data),
};

/** Generates a random P-256 key with the runtime's functions. */
export function generateSystemKey(): RuntimeKey | Promise<RuntimeKey> {
  return runtime().generateKey();
}
