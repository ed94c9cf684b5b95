import { type Dialect, domainName } from '../../../meta/dialect.js';
import { addressWarnings, rangeWarnings } from '../../shared/strict-address.js';
import type { Service } from '../core-v1.types.js';
import { isHeadless } from './service-address-validation.js';

/** Returns the two annotations for topology-aware routing: the deprecated one and its replacement. */
export const hintsAnnotation = (dialect: Dialect): string => `service.${domainName(dialect, 'topology-aware-hints')}`;
export const modeAnnotation = (dialect: Dialect): string => `service.${domainName(dialect, 'topology-mode')}`;

/** Returns the warnings about a service: addresses in unusual forms, and fields without effect. */
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
