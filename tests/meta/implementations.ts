import type { Signatures } from '../../src/signatures/signatures.js';
import { nativeCrypto, nativeSignatures } from '../../src/signatures/system-signatures.js';
import { webSignatures } from '../../src/signatures/web-signatures.js';

const native = nativeCrypto();
if (!native) throw new TypeError('the tests run in Node');

/** The implementations of signatures, which must all return the same results. */
export const implementations: readonly { readonly name: string; readonly signatures: Signatures }[] = [
  { name: 'node:crypto', signatures: nativeSignatures(native) },
  { name: 'WebCrypto', signatures: webSignatures },
];
