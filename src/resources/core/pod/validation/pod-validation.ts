import { errorsOf, type FieldError, fieldError } from '../../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../../meta/names.js';
import type { ObjectMeta } from '../../../../meta/object-meta.js';
import { validateAddress } from '../../../shared/ip-address.js';
import { validateResources } from '../../../shared/resource-rules.js';
import { oneOf, validateOptional, within } from '../../../shared/value-rules.js';
import type { Pod, PodSpec } from '../../core-v1.types.js';
import { validatePodAnnotations, validateTwoWays } from './pod-annotation-validation.js';
import {
  mayHavePartsOfPages,
  validateAllContainers,
  validateImage,
  validatePodClaims,
} from './pod-container-validation.js';
import type { PodRules } from './pod-rules.js';
import {
  validateAffinity,
  validateGates,
  validateNodeSelector,
  validateSpreads,
  validateTolerations,
} from './pod-scheduling-validation.js';
import {
  validateHostProcesses,
  validateOwnUsers,
  validatePodRights,
  validateSystem,
} from './pod-security-validation.js';
import { validateVolumes } from './pod-volume-validation.js';

const MAX_INT32 = 0x7fff_ffff;
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * Returns the validation errors of a pod spec at the path `spec`, in upstream's order. `pod` is the metadata of the pod, and undefined for
 * a template.
 */
export function validatePodSpec(spec: PodSpec, rules: PodRules, pod?: ObjectMeta): FieldError[] {
  const { errors, volumes } = validateVolumes(spec.volumes ?? [], rules, pod);
  return [
    ...errors,
    ...validatePodClaims(spec.resourceClaims ?? [], pod?.name ?? ''),
    ...validateAllContainers(spec, volumes, rules),
    ...validateHostPorts(spec, pod !== undefined),
    ...oneOf('spec.restartPolicy', spec.restartPolicy, RESTART_POLICIES),
    ...oneOf('spec.dnsPolicy', spec.dnsPolicy, DNS_POLICIES),
    ...validateNodeSelector(spec.nodeSelector),
    ...validatePodRights(spec, rules),
    ...(spec.affinity ? validateAffinity(spec.affinity, rules) : []),
    ...validateDns(spec),
    ...errorsOf(spec.readinessGates ?? [], ({ conditionType }, i) =>
      qualifiedName(conditionType).map((message) =>
        fieldError.invalid(`spec.readinessGates[${i}].conditionType`, conditionType, message),
      ),
    ),
    ...validateGates(spec.schedulingGates ?? []),
    ...validateSpreads(spec.topologySpreadConstraints ?? [], rules),
    ...validateHostProcesses(spec, rules),
    ...validateOwnUsers(spec),
    ...validateNames(spec),
    ...(spec.preemptionPolicy === undefined
      ? []
      : oneOf('spec.preemptionPolicy', spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
    ...(spec.overhead
      ? validateResources('spec.overhead', { limits: spec.overhead }, { anyPages: mayHavePartsOfPages(rules) })
      : []),
    ...validateSystem(spec),
  ];
}

function validateNames(spec: PodSpec): FieldError[] {
  return [
    ...validateOptional('spec.serviceAccountName', spec.serviceAccountName, dns1123Subdomain),
    ...validateOptional('spec.nodeName', spec.nodeName, dns1123Subdomain),
    ...within('spec.activeDeadlineSeconds', spec.activeDeadlineSeconds, 1, MAX_INT32),
    ...validateOptional('spec.hostname', spec.hostname, dns1123Label),
    ...validateOptional('spec.subdomain', spec.subdomain, dns1123Label),
    ...validateTolerations(spec.tolerations ?? []),
    ...errorsOf(spec.hostAliases ?? [], ({ ip, hostnames = [] }, i) => [
      ...validateAddress(`spec.hostAliases[${i}].ip`, ip),
      ...errorsOf(hostnames, (name, j) =>
        dns1123Subdomain(name).map((message) =>
          fieldError.invalid(`spec.hostAliases[${i}].hostnames[${j}]`, name, message),
        ),
      ),
    ]),
    ...validateOptional('spec.priorityClassName', spec.priorityClassName, dns1123Subdomain),
    ...(spec.runtimeClassName === undefined
      ? []
      : dns1123Subdomain(spec.runtimeClassName).map((message) =>
          fieldError.invalid('spec.runtimeClassName', spec.runtimeClassName, message),
        )),
  ];
}

/** Checks the host ports of a pod that uses the network of its node. They must equal the container ports. A template may omit them. */
function validateHostPorts({ hostNetwork, containers }: PodSpec, isPod: boolean): FieldError[] {
  if (!hostNetwork) return [];
  return errorsOf(containers ?? [], ({ ports = [] }, i) =>
    errorsOf(ports, ({ hostPort = 0, containerPort }, j) => {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) return [];
      const path = `spec.containers[${i}].ports[${j}].hostPort`;
      return [fieldError.invalid(path, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

function validateDns({ dnsPolicy, dnsConfig }: PodSpec): FieldError[] {
  const path = 'spec.dnsConfig';
  if (dnsPolicy === 'None' && !dnsConfig)
    return [fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [fieldError.required(`${path}.nameservers`, why)];
  }
  const errors: FieldError[] = [];
  const tooMany = (field: string, values: readonly string[], what: string) =>
    errors.push(fieldError.invalid(`${path}.${field}`, values, `must not have more than ${what}`));
  if (nameservers.length > MAX_NAMESERVERS) tooMany('nameservers', nameservers, `${MAX_NAMESERVERS} nameservers`);
  errors.push(...errorsOf(nameservers, (address, i) => validateAddress(`${path}.nameservers[${i}]`, address)));
  if (searches.length > MAX_SEARCHES) tooMany('searches', searches, `${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    tooMany('searches', searches, `${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`);
  const ofSearches = errorsOf(searches, (search, i) => {
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    return dns1123Subdomain(name).map((message) => fieldError.invalid(`${path}.searches[${i}]`, name, message));
  });
  const ofOptions = errorsOf(options, ({ name = '' }, i) =>
    name === '' ? [fieldError.required(`${path}.options[${i}]`, 'must not be empty')] : [],
  );
  return [...errors, ...ofSearches, ...ofOptions];
}

/** Returns the validation errors of the annotations and the spec of a pod, including rules that do not apply to templates. */
export function validateWholePod({ metadata, spec }: Pod, rules: PodRules): FieldError[] {
  const { containers, initContainers = [] } = spec;
  return [
    ...validatePodAnnotations('metadata.annotations', metadata.annotations, spec, rules),
    ...validatePodSpec(spec, rules, metadata),
    ...validateAccountTokens(spec),
    ...errorsOf(containers ?? [], (container, i) => validateImage(`spec.containers[${i}]`, container)),
    ...errorsOf(initContainers, (container, i) => validateImage(`spec.initContainers[${i}]`, container)),
  ];
}

/** Checks that a pod with projected tokens has a service account. */
function validateAccountTokens({ serviceAccountName = '', volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName !== '') return [];
  return errorsOf(volumes, ({ projected }, i) =>
    errorsOf(projected?.sources ?? [], ({ serviceAccountToken }, j) => {
      if (!serviceAccountToken) return [];
      const path = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      return [fieldError.forbidden(path, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

/** Returns the validation errors of a new pod. */
export function validateNewPod(pod: Pod, rules: PodRules): FieldError[] {
  const { ephemeralContainers = [], schedulingGates = [], nodeName = '' } = pod.spec;
  const errors = validateWholePod(pod, rules);
  if (ephemeralContainers.length > 0)
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  if (schedulingGates.length > 0 && nodeName !== '')
    errors.push(fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  return [...errors, ...validateTwoWays(pod.metadata, pod.spec, rules.dialect)];
}
