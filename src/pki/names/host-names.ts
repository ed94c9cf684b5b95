import { formatIp, parseIp, withoutWrapping } from '../../values/ip-address.js';
import type { Certificate } from '../certificate.js';
import { sameBytes } from '../der/reader.js';

/*
 * These functions match a server's certificate with a host, by the rules of Go's `Certificate.VerifyHostname`. An address must be among
 * the certificate's IP addresses, and a name among its DNS names. In a DNS name, an asterisk may replace the whole first label. The common
 * name is ignored.
 */

/**
 * Returns the message when a certificate is not valid for a host (a name, or an address with or without brackets); undefined when it is
 * valid.
 */
export function hostProblem(certificate: Certificate, host: string): string | undefined {
  const { dns, ip } = certificate.subjectAltNames ?? { dns: [], ip: [] };
  const text = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  const address = parseIp(text);
  if (address) {
    const addressBytes = withoutWrapping(address);
    return ip.some((each) => sameBytes(withoutWrapping(each), addressBytes)) ? undefined : mismatch(certificate, text);
  }
  return dns.some((pattern) => matchesName(pattern, host)) ? undefined : mismatch(certificate, host);
}

function mismatch({ subject, subjectAltNames }: Certificate, host: string): string {
  if (!subjectAltNames && matchesHost(subject.commonName, host))
    return 'x509: certificate relies on legacy Common Name field, use SANs instead';
  const isAddress = parseIp(host) !== undefined;
  const { dns, ip } = subjectAltNames ?? { dns: [], ip: [] };
  if (isAddress && ip.length === 0)
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  const valid = isAddress ? ip.map((each) => formatIp(withoutWrapping(each))) : dns;
  if (valid.length === 0) return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${valid.join(', ')}, not ${host}`;
}

function matchesName(pattern: string, host: string): boolean {
  if (isHostName(host) && isPattern(pattern)) return matchesHost(pattern, host);
  const isName = (text: string) => text !== '' && text !== '.';
  return isName(pattern) && isName(host) && pattern.toLowerCase() === host.toLowerCase();
}

/** Returns whether a host matches a name whose first label may be an asterisk. */
export function matchesHost(pattern: string, host: string): boolean {
  const labels = pattern.toLowerCase().split('.');
  const hostLabels = withoutDot(host).toLowerCase().split('.');
  if (pattern === '' || withoutDot(host) === '' || labels.length !== hostLabels.length) return false;
  return labels.every((label, i) => label === hostLabels[i] || (i === 0 && label === '*'));
}

const withoutDot = (host: string) => (host.endsWith('.') ? host.slice(0, -1) : host);
// Underscores are not allowed in host names, but they are accepted because the names of many real servers contain them.
const LABEL = /^[a-zA-Z0-9_][a-zA-Z0-9_-]*$/;
const isHostName = (text: string) =>
  withoutDot(text)
    .split('.')
    .every((label) => LABEL.test(label));
const isPattern = (text: string) =>
  text !== '*' && text.split('.').every((label, i) => (i === 0 && label === '*') || LABEL.test(label));
