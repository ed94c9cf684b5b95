import { errorsOf, type FieldError, fieldError } from '../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../meta/names.js';
import { checked, named, oneOf, within } from '../../fragments/value-rules.js';
import { validateAddedContainers, validateContainers, validateInitContainers } from './pod-container-validation.js';
import {
  validateAffinity,
  validateGates,
  validateNodeSelector,
  validateSpreads,
  validateTolerations,
} from './pod-scheduling-validation.js';
import type { Pod } from './pod-schema.js';
import type { PodSpec } from './pod-spec.js';
import { validateVolumes } from './pod-volume-validation.js';

const MAX_INT32 = 0x7fff_ffff;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Problems of a pod's spec, in the wire's order. Left out: settings of Windows, devices and rare volumes. */
export function validatePod({ spec }: { readonly spec: PodSpec }): FieldError[] {
  const { volumes = [], containers, initContainers = [], ephemeralContainers = [] } = spec;
  const { errors, names } = validateVolumes(volumes);
  const seen = new Set<string>();
  return [
    ...errors,
    // On the wire a list of none is the same as none.
    ...validateContainers(containers ?? [], names, seen),
    ...validateInitContainers(initContainers, names, seen),
    ...validateAddedContainers(ephemeralContainers, names, seen),
    ...oneOf('spec.restartPolicy', spec.restartPolicy, RESTART_POLICIES),
    ...oneOf('spec.dnsPolicy', spec.dnsPolicy, DNS_POLICIES),
    ...validatePlace(spec),
    ...checked('spec.serviceAccountName', spec.serviceAccountName, dns1123Subdomain),
    ...checked('spec.nodeName', spec.nodeName, dns1123Subdomain),
    ...within('spec.activeDeadlineSeconds', spec.activeDeadlineSeconds, 1, MAX_INT32),
    ...checked('spec.hostname', spec.hostname, dns1123Label),
    ...checked('spec.subdomain', spec.subdomain, dns1123Label),
    ...validateTolerations(spec.tolerations ?? []),
    ...checked('spec.priorityClassName', spec.priorityClassName, dns1123Subdomain),
    ...checked('spec.runtimeClassName', spec.runtimeClassName, dns1123Subdomain),
    ...(spec.preemptionPolicy === undefined
      ? []
      : oneOf('spec.preemptionPolicy', spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ];
}

/** Rights, secrets, and where the pod may run. */
function validatePlace(spec: PodSpec): FieldError[] {
  const { securityContext: rights } = spec;
  return [
    ...validateNodeSelector(spec.nodeSelector),
    ...within('spec.securityContext.fsGroup', rights?.fsGroup, 0, MAX_INT32),
    ...within('spec.securityContext.runAsUser', rights?.runAsUser, 0, MAX_INT32),
    ...within('spec.securityContext.runAsGroup', rights?.runAsGroup, 0, MAX_INT32),
    ...errorsOf(rights?.supplementalGroups ?? [], (id, i) =>
      within(`spec.securityContext.supplementalGroups[${i}]`, id, 0, MAX_INT32),
    ),
    ...(spec.affinity ? validateAffinity(spec.affinity) : []),
    ...(spec.dnsPolicy === 'None' && (spec.dnsConfig?.nameservers?.length ?? 0) === 0
      ? [
          fieldError.required(
            'spec.dnsConfig.nameservers',
            'must provide at least one DNS nameserver when `dnsPolicy` is None',
          ),
        ]
      : []),
    ...errorsOf(spec.readinessGates ?? [], ({ conditionType }, i) =>
      named(`spec.readinessGates[${i}].conditionType`, conditionType, qualifiedName),
    ),
    ...validateGates(spec.schedulingGates ?? []),
    ...validateSpreads(spec.topologySpreadConstraints ?? []),
  ];
}

/** Images of a pod, which a template may have with blanks around them. */
const validateImages = ({ spec: { containers } }: Pod): FieldError[] =>
  errorsOf(containers ?? [], ({ image = '' }, i) =>
    image === image.trim()
      ? []
      : [fieldError.invalid(`spec.containers[${i}].image`, image, 'must not have leading or trailing whitespace')],
  );

/** Problems of a pod, beyond those of any spec of pods. */
export const validateWholePod = (pod: Pod): FieldError[] => [...validatePod(pod), ...validateImages(pod)];

/** Problems of a new pod. */
export function validateNewPod(pod: Pod): FieldError[] {
  const { ephemeralContainers = [], schedulingGates = [], nodeName = '' } = pod.spec;
  const errors = validateWholePod(pod);
  if (ephemeralContainers.length > 0)
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  if (schedulingGates.length > 0 && nodeName !== '')
    errors.push(fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}
