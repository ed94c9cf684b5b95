import { nativeCrypto, nativeSignatures } from './native-signatures.js';
import type { Signatures } from './signatures.js';
import { webSignatures } from './web-signatures.js';

/** The runtime's: Node's own, which answers at once, and WebCrypto elsewhere. */
export const systemSignatures: Signatures = choose();

function choose(): Signatures {
  const native = nativeCrypto();
  return native ? nativeSignatures(native) : webSignatures;
}
