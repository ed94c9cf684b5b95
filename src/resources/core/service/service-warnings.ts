import { type Dialect, domainName } from '../../../meta/dialect.js';
import { formatIp, isMapped, parseAddr, parsePrefix, withoutWrapping } from '../../../values/ip-address.js';
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

const refusedLater = ({ apiTitle }: Dialect): string =>
  `was accepted, but will be invalid in a future ${apiTitle} release`;
const notCanonical = (what: string, text: string, usual: string): string =>
  `IPv6 ${what} ${quote(text)} is not in RFC 5952 canonical format (${quote(usual)}), which may cause controller apply-loops`;

/** Returns the canonical form of an address. */
export function usualForm(text: string): string {
  const parsed = parseAddr(text);
  if (typeof parsed === 'string') return text;
  const { bytes, zone } = parsed;
  const usual = isMapped(bytes) ? `::ffff:${formatIp(withoutWrapping(bytes))}` : formatIp(bytes);
  return zone === '' ? usual : `${usual}%${zone}`;
}

/** Returns the warnings about an address that is accepted although it is not in canonical form. */
export function addressWarnings(path: string, text: string, dialect: Dialect): string[] {
  const parsed = parseAddr(text);
  if (typeof parsed === 'string') return [`${path}: IP address ${refusedLater(dialect)}: ${parsed}`];
  if (usualForm(text) === text) return [];
  return [`${path}: ${notCanonical('address', text, usualForm(text))}`];
}

/** Returns the warnings about a range that is accepted although it is not in canonical form. */
export function rangeWarnings(path: string, text: string, dialect: Dialect): string[] {
  const parsed = parsePrefix(text);
  if (typeof parsed === 'string') return [`${path}: IP prefix ${refusedLater(dialect)}: ${parsed}`];
  const usual = usualRange(text);
  return usual === text ? [] : [`${path}: ${notCanonical('prefix', text, usual)}`];
}

/** Returns the canonical form of a range. */
export function usualRange(text: string): string {
  const slash = text.lastIndexOf('/');
  return `${usualForm(text.slice(0, slash))}${text.slice(slash)}`;
}
