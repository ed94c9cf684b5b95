import { nativeCrypto, nativeSignatures } from './native-signatures.js';
import type { RuntimeKey, Signatures } from './signatures.js';
import { webSignatures } from './web-signatures.js';

/** An implementation of {@link Signatures} with the functions of a JavaScript runtime. Its keys are random, not derived from a purpose. */
interface RuntimeSignatures extends Signatures {
  generateKey(): RuntimeKey | Promise<RuntimeKey>;
}

let chosen: RuntimeSignatures | undefined;

/** Returns the runtime's implementation. It is chosen on first use, because loading Node's module takes longer than creating a server. */
function runtime(): RuntimeSignatures {
  if (chosen) return chosen;
  const native = nativeCrypto();
  return (chosen = native ? nativeSignatures(native) : webSignatures);
}

/**
 * The default implementation of {@link Signatures}. It uses `node:crypto` in Node, where calls are synchronous, and WebCrypto in other
 * runtimes.
 */
export const systemSignatures: Signatures = {
  verify: (scheme, publicKey, signature, data) => runtime().verify(scheme, publicKey, signature, data),
  signer: (scheme, pkcs8) => runtime().signer(scheme, pkcs8),
  digest: (hash, data) => runtime().digest(hash, data),
};

/** Generates a random P-256 key with the runtime's functions. */
export function generateSystemKey(): RuntimeKey | Promise<RuntimeKey> {
  return runtime().generateKey();
}
