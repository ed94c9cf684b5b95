import { matchesHost } from '../pki/names/host-names.js';
import { messageOf } from '../values/message-of.js';
import type { NativeCertificate } from './native-http.js';

/** Error codes for a certificate without a trusted issuer. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

/** The kernel's error messages for a failed connection, by error code. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};
/** Matches the TLS errors with which different versions of Node report that a server does not speak TLS. */
const NO_TLS = /^(?:EPROTO|ERR_SSL_\w+) .*(?:wrong version number|packet length too long)/;
const UNVERIFIED = 'tls: failed to verify certificate: x509:';

/** The fields of an error from Node's network or TLS modules. */
interface Failure {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly cert?: NativeCertificate;
}

/** Returns the message for a failure below HTTP: client-go's message if the failure is a known one, otherwise the error's own message. */
export function transportMessage(cause: unknown): string {
  const { code, address, port, hostname, host, cert } = Object(cause) as Failure;
  if (typeof code !== 'string') return messageOf(cause);
  if (UNTRUSTED.has(code)) return `${UNVERIFIED} certificate signed by unknown authority`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${UNVERIFIED} ${nameMessage(String(host), cert)}`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${UNVERIFIED} certificate has expired or is not yet valid`;
  if (NO_TLS.test(`${code} ${messageOf(cause)}`)) return 'http: server gave HTTP response to HTTPS client';
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${String(hostname)}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  const why = NOT_CONNECTED[code];
  return why && address !== undefined
    ? `dial tcp ${String(address)}:${String(port)}: connect: ${why}`
    : messageOf(cause);
}

/** Returns the message for a certificate that is not valid for the host. */
function nameMessage(host: string, { subjectaltname, subject }: NativeCertificate = {}): string {
  const names = subjectaltname ?? '';
  const namesOf = (sort: string) =>
    names
      .split(', ')
      .filter((name) => name.startsWith(sort))
      .map((name) => name.slice(sort.length));
  const isAddress = /^[\d.]+$|:/.test(host);
  const valid = namesOf(isAddress ? 'IP Address:' : 'DNS:');
  if (subjectaltname === undefined && matchesHost(String(subject?.CN ?? ''), host))
    return 'certificate relies on legacy Common Name field, use SANs instead';
  if (valid.length > 0) return `certificate is valid for ${valid.join(', ')}, not ${host}`;
  if (isAddress) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return `certificate is not valid for any names, but wanted to match ${host}`;
}
