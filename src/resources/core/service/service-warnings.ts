import { type Dialect, domainName } from '../../../meta/dialect.js';
import { formatIp, parseIp } from '../../../pki/names/ip-address.js';
import { quote } from '../../../values/quote.js';
import type { Service } from '../core-v1.types.js';
import { isHeadless } from './service-address-validation.js';

/**
 * Returns the name of an annotation for topology-aware routing: `hintsAnnotation` is the deprecated one, `modeAnnotation` its replacement.
 */
export const hintsAnnotation = (dialect: Dialect): string => `service.${domainName(dialect, 'topology-aware-hints')}`;
export const modeAnnotation = (dialect: Dialect): string => `service.${domainName(dialect, 'topology-mode')}`;

/** Returns the warnings about a service: addresses in non-canonical forms, and fields without effect. */
export function serviceWarnings({ metadata, spec }: Service, dialect: Dialect): readonly string[] {
  const {
    type,
    externalName = '',
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = '',
    loadBalancerSourceRanges: ranges = [],
  } = spec;
  const hints = hintsAnnotation(dialect);
  return [
    ...(Object.hasOwn(metadata.annotations ?? {}, hints)
      ? [`annotation ${hints} is deprecated, please use ${modeAnnotation(dialect)} instead`]
      : []),
    ...(isHeadless(spec) ? [] : clusterIPs.flatMap((ip, i) => addressWarnings(`spec.clusterIPs[${i}]`, ip, dialect))),
    ...externalIPs.flatMap((ip, i) => addressWarnings(`spec.externalIPs[${i}]`, ip, dialect)),
    ...(loadBalancerIP === '' ? [] : addressWarnings('spec.loadBalancerIP', loadBalancerIP, dialect)),
    ...ranges.flatMap((range, i) => rangeWarnings(`spec.loadBalancerSourceRanges[${i}]`, range, dialect)),
    ...(type === 'ExternalName' && externalIPs.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== 'ExternalName' && externalName !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

/* The rest of this file finds IP addresses that later versions of Kubernetes refuse. Its error messages are those of Go's parser. */

/** The reason why a string is not an address, and the rest of the string from the error on. */
interface Problem {
  readonly why: string;
  readonly at?: string;
}

/** Returns Go's error message for a string that is not an address; undefined when it is one. */
export function addressProblem(text: string): string | undefined {
  const problem = firstProblem(text);
  if (problem === undefined) return undefined;
  const { why, at = '' } = problem;
  return `ParseAddr(${quote(text)}): ${why}${at === '' ? '' : ` (at ${quote(at)})`}`;
}

function firstProblem(text: string): Problem | undefined {
  const [mark] = /[.:%]/.exec(text) ?? [];
  if (mark === '.') return problemOfFour(text);
  if (mark === ':') return problemOfSix(text);
  return mark === '%' ? { why: 'missing IPv6 address' } : { why: 'unable to parse IP' };
}

function problemOfFour(text: string): Problem | undefined {
  let dots = 0;
  let digits = '';
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (/\d/.test(char)) {
      if (digits === '0') return { why: 'IPv4 field has octet with leading zero' };
      digits += char;
      if (Number(digits) > 255) return { why: 'IPv4 field has value >255' };
    } else if (char !== '.') return { why: 'unexpected character', at: text.slice(i) };
    else {
      if (digits === '' || i === text.length - 1)
        return { why: 'IPv4 field must have at least one digit', at: text.slice(i) };
      if (dots === 3) return { why: 'IPv4 address too long' };
      dots++;
      digits = '';
    }
  }
  return dots < 3 ? { why: 'IPv4 address too short' } : undefined;
}

/** Length of an IPv6 address in bytes. */
const WHOLE = 16;

function problemOfSix(text: string): Problem | undefined {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return { why: 'zone must be a non-empty string' };
  const rest = { text: percent < 0 ? text : text.slice(0, percent) };
  let gap = rest.text.startsWith('::');
  if (gap) rest.text = rest.text.slice(2);
  if (gap && rest.text === '') return undefined;
  let bytes = 0;
  while (bytes < WHOLE) {
    const [digits = ''] = /^[\da-f]*/i.exec(rest.text) ?? [];
    if (digits.length > 4) return { why: 'each group must have 4 or less digits', at: rest.text };
    if (digits === '') return { why: 'each colon-separated field must have at least one digit', at: rest.text };
    if (rest.text.charAt(digits.length) === '.') {
      const problem = problemOfTail(rest.text, gap, bytes);
      if (problem) return problem;
      bytes += 4;
      rest.text = '';
      break;
    }
    bytes += 2;
    rest.text = rest.text.slice(digits.length);
    if (rest.text === '') break;
    if (rest.text.charAt(0) !== ':') return { why: 'unexpected character, want colon', at: rest.text };
    if (rest.text.length === 1) return { why: 'colon must be followed by more characters', at: rest.text };
    rest.text = rest.text.slice(1);
    if (rest.text.charAt(0) !== ':') continue;
    if (gap) return { why: 'multiple :: in address', at: rest.text };
    gap = true;
    rest.text = rest.text.slice(1);
    if (rest.text === '') break;
  }
  if (rest.text !== '') return { why: 'trailing garbage after address', at: rest.text };
  if (bytes < WHOLE) return gap ? undefined : { why: 'address string too short' };
  return gap ? { why: 'the :: must expand to at least one field of zeros' } : undefined;
}

/** Returns why the IPv4 address at the end of an IPv6 address is invalid; undefined when it is valid. */
function problemOfTail(tail: string, gap: boolean, bytes: number): Problem | undefined {
  if (!gap && bytes !== WHOLE - 4)
    return { why: 'embedded IPv4 address must replace the final 2 fields of the address', at: tail };
  if (bytes + 4 > WHOLE)
    return { why: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: tail };
  return problemOfFour(tail);
}

const refusedLater = ({ apiTitle }: Dialect): string =>
  `was accepted, but will be invalid in a future ${apiTitle} release`;
const notCanonical = (what: string, text: string, usual: string): string =>
  `IPv6 ${what} ${quote(text)} is not in RFC 5952 canonical format (${quote(usual)}), which may cause controller apply-loops`;

/** Returns the canonical form of an address. */
export function usualForm(text: string): string {
  if (!text.includes(':')) return text;
  const [address = '', ...zone] = text.split('%');
  const bytes = parseIp(address) ?? new Uint8Array();
  const isWrapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  const usual = isWrapped ? `::ffff:${formatIp(bytes.subarray(12))}` : formatIp(bytes);
  return [usual, ...zone].join('%');
}

/** Returns the warnings about an address that is accepted although it is not in canonical form. */
export function addressWarnings(path: string, text: string, dialect: Dialect): string[] {
  const problem = addressProblem(text);
  if (problem !== undefined) return [`${path}: IP address ${refusedLater(dialect)}: ${problem}`];
  if (usualForm(text) === text) return [];
  return [`${path}: ${notCanonical('address', text, usualForm(text))}`];
}

/** Returns the warnings about a range that is accepted although it is not in canonical form. */
export function rangeWarnings(path: string, text: string, dialect: Dialect): string[] {
  const problem = rangeProblem(text);
  if (problem !== undefined) return [`${path}: IP prefix ${refusedLater(dialect)}: ${problem}`];
  const usual = usualRange(text);
  return usual === text ? [] : [`${path}: ${notCanonical('prefix', text, usual)}`];
}

/** Returns the canonical form of a range. */
export function usualRange(text: string): string {
  const slash = text.lastIndexOf('/');
  return `${usualForm(text.slice(0, slash))}${text.slice(slash)}`;
}

/** Returns Go's error message for a string that is not a range; undefined when it is one. */
export function rangeProblem(text: string): string | undefined {
  const problem = problemOfRange(text);
  return problem === undefined ? undefined : `netip.ParsePrefix(${quote(text)}): ${problem}`;
}

function problemOfRange(text: string): string | undefined {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const address = text.slice(0, slash);
  const problem = addressProblem(address);
  if (problem !== undefined) return problem;
  if (address.includes('%')) return 'IPv6 zones cannot be present in a prefix';
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) return `bad bits after slash: ${quote(bits)}`;
  return Number(bits) > (address.includes(':') ? 128 : 32) ? 'prefix length out of range' : undefined;
}
