import type { Certificate } from '../certificate.js';
import { sameBytes } from '../der/reader.js';
import { formatIp, parseIp } from './ip-address.js';

/*
 * Whether a server's certificate is for a host, as Go's `Certificate.VerifyHostname` decides: addresses match addresses only, names
 * match DNS names only, and an asterisk is the whole first label. The common name never counts.
 */

/** What is wrong with a certificate for a host (a name, or an address with or without brackets); undefined when nothing is. */
export function hostProblem(certificate: Certificate, host: string): string | undefined {
  const { dns, ip } = certificate.subjectAltNames ?? { dns: [], ip: [] };
  const text = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  const address = parseIp(text);
  if (address) {
    const wanted = short(address);
    return ip.some((each) => sameBytes(short(each), wanted)) ? undefined : mismatch(certificate, text);
  }
  return dns.some((pattern) => matchesName(pattern, host)) ? undefined : mismatch(certificate, host);
}

function mismatch({ subject, subjectAltNames }: Certificate, host: string): string {
  if (!subjectAltNames && matchesLabels(subject.commonName, host))
    return 'x509: certificate relies on legacy Common Name field, use SANs instead';
  const isAddress = parseIp(host) !== undefined;
  const { dns, ip } = subjectAltNames ?? { dns: [], ip: [] };
  if (isAddress && ip.length === 0)
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  const valid = isAddress ? ip.map((each) => formatIp(short(each))) : dns;
  if (valid.length === 0) return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${valid.join(', ')}, not ${host}`;
}

function matchesName(pattern: string, host: string): boolean {
  if (isHostName(host) && isPattern(pattern)) return matchesLabels(pattern, host);
  const isName = (text: string) => text !== '' && text !== '.';
  return isName(pattern) && isName(host) && pattern.toLowerCase() === host.toLowerCase();
}

function matchesLabels(pattern: string, host: string): boolean {
  const labels = pattern.toLowerCase().split('.');
  const wanted = withoutDot(host).toLowerCase().split('.');
  if (pattern === '' || withoutDot(host) === '' || labels.length !== wanted.length) return false;
  return labels.every((label, i) => label === wanted[i] || (i === 0 && label === '*'));
}

const withoutDot = (host: string) => (host.endsWith('.') ? host.slice(0, -1) : host);
// Underscores are in no host name, but in many names that servers have.
const LABEL = /^[a-zA-Z0-9_][a-zA-Z0-9_-]*$/;
const isHostName = (text: string) =>
  withoutDot(text)
    .split('.')
    .every((label) => LABEL.test(label));
const isPattern = (text: string) =>
  text !== '*' && text.split('.').every((label, i) => (i === 0 && label === '*') || LABEL.test(label));

/** IPv4 in its own form, wherever it is written as IPv6. */
function short(address: Uint8Array): Uint8Array {
  const isWrapped = address.length === 16 && address.subarray(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff));
  return isWrapped ? address.subarray(12) : address;
}
