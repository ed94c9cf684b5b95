import { type Dialect, domainName } from '../../../meta/dialect.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../meta/names.js';
import { METADATA_CHECK, validateLabels } from '../../../meta/object-meta-validation.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { parseAddress } from '../../../values/ip-address.js';
import { trimSpace } from '../../../values/trim-space.js';
import { validateAddress, validateRange, validateReachable } from '../../shared/ip-address.js';
import { PROTOCOLS, validateAppProtocol } from '../../shared/port-fields.js';
import { oneOf, portNumber, portNumberOrName, validateOptional } from '../../shared/value-rules.js';
import { coreV1 } from '../core-v1.js';
import type { Service, ServicePort, ServiceSpec } from '../core-v1.types.js';
import { isHeadless, validateAddressUpdate, validateServiceAddresses } from './service-address-validation.js';
import { isExternal, type LoadBalancerGates, needsHealthPort } from './service-allocated-values.js';
import { hintsAnnotation, modeAnnotation } from './service-warnings.js';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const AFFINITIES = ['ClientIP', 'None'];
const POLICIES = ['Cluster', 'Local'];
const IP_MODES = ['Proxy', 'VIP'];
const DISTRIBUTIONS = ['PreferClose'];
const MAX_AFFINITY_SECONDS = 86_400;
/** The port of the kubelet. */
const AGENT_PORT = 10_250;
const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";
const NOT_FOR_NAMES = 'may not be set for ExternalName services';

/** Returns the validation errors of a service that do not depend on the cluster's ranges. */
export function validateService({ metadata, spec }: Service, dialect: Dialect): FieldError[] {
  const { annotations = {} } = metadata;
  const { ports = [], type = '', sessionAffinity: affinity = '' } = spec;
  return [
    ...validateTopologyAnnotations(annotations, dialect),
    ...(ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName' ? [fieldError.required('spec.ports')] : []),
    ...validateByType(spec, dialect),
    ...validatePorts(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...oneOf('spec.sessionAffinity', affinity, AFFINITIES),
    ...validateAffinity(spec),
    ...validateServiceAddresses(spec),
    ...errorsOf(spec.externalIPs ?? [], (address, i) => {
      const path = `spec.externalIPs[${i}]`;
      return parseAddress(address) ? validateReachable(path, address) : validateAddress(path, address);
    }),
    ...oneOf('spec.type', type, TYPES),
    ...validateNodePorts(spec),
    ...validateSamePorts(ports),
    ...validateBalancer(spec, annotations, dialect),
    ...validateBalancerClass(spec.loadBalancerClass, type),
    ...validateTrafficPolicies(spec),
  ];
}

/** Returns the validation errors of a service update. As in upstream, errors of the load balancer class are reported twice. */
export function validateServiceUpdate(next: Service, old: Service, dialect: Dialect): FieldError[] {
  return [
    ...validateAddressUpdate(next, old),
    ...validateClassUnchanged(next.spec, old.spec),
    ...validateBalancerClass(next.spec.loadBalancerClass, next.spec.type ?? ''),
    ...validateHealthPortUnchanged(next.spec, old.spec),
    METADATA_CHECK,
    ...validateService(next, dialect),
  ];
}

function validateHealthPortUnchanged(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsHealthPort(next) || !needsHealthPort(old)) return [];
  if ((next.healthCheckNodePort ?? 0) === (old.healthCheckNodePort ?? 0)) return [];
  return [fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable')];
}

function validateClassUnchanged(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (next.type !== 'LoadBalancer' || old.type !== 'LoadBalancer') return [];
  if (next.loadBalancerClass === old.loadBalancerClass) return [];
  const value = next.loadBalancerClass ?? null;
  return [fieldError.invalid('spec.loadBalancerClass', value, 'may not change once set')];
}

/** Returns the validation errors of the load balancer status. */
export function validateServiceStatus(
  { spec, status }: Service,
  { AllowServiceLBStatusOnNonLB: ofAll, LoadBalancerIPMode: hasModes }: LoadBalancerGates,
): FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const places = status.loadBalancer.ingress ?? [];
  if (!ofAll && spec.type !== 'LoadBalancer' && places.length > 0)
    return [fieldError.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return errorsOf(places, ({ ip = '', hostname = '', ipMode: mode }, i) => {
    const at = `${path}[${i}]`;
    const ofHost = validateOptional(`${at}.hostname`, hostname, dns1123Subdomain);
    if (parseAddress(hostname))
      ofHost.push(fieldError.invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    return [
      ...(ip === '' ? [] : validateAddress(`${at}.ip`, ip)),
      ...(hasModes || mode !== undefined ? validateMode(`${at}.ipMode`, ip, mode) : []),
      ...ofHost,
    ];
  });
}

function validateMode(path: string, ip: string, mode: string | undefined): FieldError[] {
  if (mode === undefined) return ip === '' ? [] : [fieldError.required(path, 'must be specified when `ip` is set')];
  if (ip === '') return [fieldError.forbidden(path, 'may not be specified when `ip` is not set')];
  return IP_MODES.includes(mode) ? [] : [fieldError.notSupported(path, mode, IP_MODES)];
}

type Annotations = Readonly<Record<string, string>>;

function validateTopologyAnnotations(annotations: Annotations, dialect: Dialect): FieldError[] {
  const mode = modeAnnotation(dialect);
  const hints = hintsAnnotation(dialect);
  const [ofMode, ofHints] = [annotations[mode], annotations[hints]];
  if (ofMode === undefined || ofHints === undefined || ofMode === ofHints) return [];
  const why = `must match annotations[${hints}] when both are specified`;
  return [fieldError.invalid(`metadata.annotations[${mode}]`, ofMode, why)];
}

function validateByType(spec: ServiceSpec, { nodeAgent }: Dialect): FieldError[] {
  const { type, ports = [], clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec;
  const headless =
    isHeadless(spec) && (type === 'NodePort' || type === 'LoadBalancer')
      ? [fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
      : [];
  if (type === 'LoadBalancer') {
    const why = `may not expose port ${AGENT_PORT} externally since it is used by ${nodeAgent}`;
    const ofPorts = errorsOf(ports, ({ port }, i) =>
      port === AGENT_PORT ? [fieldError.invalid(`spec.ports[${i}]`, port, why)] : [],
    );
    return [...ofPorts, ...headless];
  }
  if (type !== 'ExternalName') return headless;
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  return [
    ...(clusterIPs.length > 0 ? [fieldError.forbidden('spec.clusterIPs', NOT_FOR_NAMES)] : []),
    ...(ipFamilies.length > 0 ? [fieldError.forbidden('spec.ipFamilies', NOT_FOR_NAMES)] : []),
    ...(ipFamilyPolicy === undefined ? [] : [fieldError.forbidden('spec.ipFamilyPolicy', NOT_FOR_NAMES)]),
    ...(name === ''
      ? [fieldError.required('spec.externalName')]
      : validateOptional('spec.externalName', name, dns1123Subdomain)),
  ];
}

function validatePorts(ports: readonly ServicePort[]): FieldError[] {
  const names = new Set<string>();
  return errorsOf(ports, ({ name = '', protocol = '', appProtocol, port, targetPort }, i) => {
    const path = `spec.ports[${i}]`;
    const twice = names.has(name) ? [fieldError.duplicate(`${path}.name`, name)] : [];
    if (name !== '') names.add(name);
    const ofName =
      name === '' && ports.length > 1
        ? [fieldError.required(`${path}.name`)]
        : [...validateOptional(`${path}.name`, name, dns1123Label), ...twice];
    return [
      ...ofName,
      ...portNumber(`${path}.port`, port),
      ...oneOf(`${path}.protocol`, protocol, PROTOCOLS),
      ...portNumberOrName(`${path}.targetPort`, targetPort),
      ...validateAppProtocol(`${path}.appProtocol`, appProtocol),
    ];
  });
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): FieldError[] {
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None' && config)
    return [fieldError.forbidden(path, 'must not be set when session affinity is None')];
  if (sessionAffinity !== 'ClientIP') return [];
  const why = 'when session affinity type is ClientIP';
  if (!config) return [fieldError.required(path, why)];
  if (!config.clientIP) return [fieldError.required(`${path}.clientIP`, why)];
  const { timeoutSeconds: seconds } = config.clientIP;
  const at = `${path}.clientIP.timeoutSeconds`;
  if (seconds === undefined) return [fieldError.required(at, why)];
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  return [fieldError.invalid(at, seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`)];
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const refused =
    type === 'ClusterIP'
      ? errorsOf(ports, ({ nodePort = 0 }, i) =>
          nodePort === 0
            ? []
            : [fieldError.forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
        )
      : [];
  const seen = new Set<string>();
  const twice = errorsOf(ports, ({ protocol, nodePort = 0 }, i) => {
    const key = `${nodePort}/${protocol}`;
    if (nodePort === 0) return [];
    if (seen.has(key)) return [fieldError.duplicate(`spec.ports[${i}].nodePort`, nodePort)];
    seen.add(key);
    return [];
  });
  return [...refused, ...twice];
}

function validateSamePorts(ports: readonly ServicePort[]): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(ports, ({ protocol, port }, i) => {
    const key = `${port}/${protocol}`;
    if (seen.has(key))
      return [
        fieldError.duplicate(
          `spec.ports[${i}]`,
          printed(printGoSyntax(coreV1.struct('ServicePort'), { protocol, port })),
        ),
      ];
    seen.add(key);
    return [];
  });
}

function validateBalancer(spec: ServiceSpec, annotations: Annotations, dialect: Dialect): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [], allocateLoadBalancerNodePorts: allocate } = spec;
  const isBalancer = type === 'LoadBalancer';
  const forbiddenUnlessBalancer = (path: string) => (isBalancer ? [] : [fieldError.forbidden(path, BALANCER_ONLY)]);
  const key = `service.beta.${domainName(dialect, 'load-balancer-source-ranges')}`;
  const annotated = annotations[key];
  const path = ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${key}]`;
  const errors = ranges.length > 0 || annotated !== undefined ? forbiddenUnlessBalancer(path) : [];
  if (ranges.length > 0)
    errors.push(...errorsOf(ranges, (range, i) => validateRange(`${path}[${i}]`, trimSpace(range))));
  else if (trimSpace(annotated ?? ''))
    errors.push(...errorsOf(trimSpace(annotated ?? '').split(','), (range) => validateRange(path, trimSpace(range))));
  if (allocate !== undefined) errors.push(...forbiddenUnlessBalancer('spec.allocateLoadBalancerNodePorts'));
  else if (isBalancer) errors.push(fieldError.required('allocateLoadBalancerNodePorts'));
  return errors;
}

function validateBalancerClass(name: string | undefined, type: string): FieldError[] {
  const path = 'spec.loadBalancerClass';
  if (name === undefined) return [];
  if (type !== 'LoadBalancer') return [fieldError.forbidden(path, BALANCER_ONLY)];
  return qualifiedName(name).map((message) => fieldError.invalid(path, name, message));
}

function validateTrafficPolicies(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: outside = '', internalTrafficPolicy: inside, healthCheckNodePort: port = 0 } = spec;
  const { trafficDistribution: distribution, type } = spec;
  const path = 'spec.externalTrafficPolicy';
  const errors: FieldError[] = [];
  if (isExternal(spec)) errors.push(...oneOf(path, outside, POLICIES));
  else if (outside !== '')
    errors.push(fieldError.invalid(path, outside, 'may only be set for externally-accessible services'));
  if (needsHealthPort(spec)) errors.push(...portNumber('spec.healthCheckNodePort', port));
  else if (port !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(fieldError.invalid('spec.healthCheckNodePort', port, why));
  }
  if (inside !== undefined) {
    if (!POLICIES.includes(inside))
      errors.push(fieldError.notSupported('spec.internalTrafficPolicy', inside, POLICIES));
  } else if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer')
    errors.push(fieldError.required('spec.internalTrafficPolicy'));
  if (distribution !== undefined && !DISTRIBUTIONS.includes(distribution))
    errors.push(fieldError.notSupported('spec.trafficDistribution', distribution, DISTRIBUTIONS));
  return errors;
}
