import { messageOf } from '../values/message-of.js';

/** Codes of a certificate without a trusted issuer. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

/** What went wrong below HTTP, in the words of the field's clients where they are known. */
export function transportMessage(cause: unknown): string {
  const { code, address, port } = Object(cause) as { code?: unknown; address?: unknown; port?: unknown };
  if (typeof code === 'string' && UNTRUSTED.has(code))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  if (code === 'ECONNREFUSED') return `dial tcp ${String(address)}:${String(port)}: connect: connection refused`;
  if (code === 'ECONNRESET') return 'EOF';
  return messageOf(cause);
}
