import { formatTime } from '../../../meta/clock.js';
import type { Dialect } from '../../../meta/dialect.js';
import { dns1123Label } from '../../../meta/names.js';
import { originalOf } from '../../../registry/edit.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft, StrategyContext } from '../../../registry/strategy.js';
import { coreV1 } from '../core-v1.js';
import type { Container, Pod } from '../core-v1.types.js';
import { gatedOfPods } from './disabled-fields.js';
import { podColumns, podRowConditions } from './pod-columns.js';
import { type ContainerDraft, containersThat } from './pod-containers.js';
import { setPodDefaults } from './pod-defaults.js';
import { markResize, podQosClass, setResizePolicies } from './pod-resources.js';
import { podTemplateWarnings } from './pod-warnings.js';
import { podBinding } from './subresources/binding.js';
import { podEviction } from './subresources/eviction.js';
import { podAttach, podExec, podLog, podPortForward, podProxy } from './subresources/pod-relays.js';
import { podAnnotations } from './validation/pod-annotation-validation.js';
import { validateAppArmor } from './validation/pod-security-validation.js';
import { validatePodStatusUpdate } from './validation/pod-status-validation.js';
import { validateEphemeralContainers, validatePodUpdate } from './validation/pod-update-validation.js';
import { validateNewPod } from './validation/pod-validation.js';

export type { Pod } from '../core-v1.types.js';

/** Returns the grace period in seconds. It is 0 for a pod that has ended or is not on a node. */
function gracePeriod({ spec, status }: Pod, requested: number | undefined): number {
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (over || (spec.nodeName ?? '') === '') return 0;
  const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}

/** Returns a warning if the name of a pod is not a valid host name, because the host name of a pod is derived from its name. */
function nameWarnings({ metadata }: Pod): readonly string[] {
  const problems = dns1123Label(metadata.name ?? '');
  if (problems.length === 0) return [];
  const why = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${why}: [${problems.join(' ')}]`];
}

/** Copies serviceAccountName to the older field serviceAccount, whether the client or admission has set it. */
function copyAccount({ spec }: { spec: { serviceAccount?: string; serviceAccountName?: string } }): void {
  if (spec.serviceAccountName !== undefined) spec.serviceAccount = spec.serviceAccountName;
}

/** v1 Pod. This server stores and validates pods, and uses them for bound tokens and for the permissions of nodes. It does not run them. */
export const pod = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('Pod'),
  setDefaults: setPodDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfPods,
  strategy: {
    prepareForCreate(draft, context) {
      copyAccount(draft);
      prepareNewPod(draft, context);
    },
    prepareForUpdate(draft, old, { host: { gates } }) {
      copyAccount(draft);
      Object.assign(draft, { status: old.status });
      if (!gates.InPlacePodVerticalScaling) return;
      setResizePolicies(draft.spec);
      markResize(draft, old);
    },
    validate: (object, { host }) => validateNewPod(object, host),
    validateUpdate: (next, old, { host }) => validatePodUpdate(next, old, host),
    warnings: (object, old, { host }) =>
      old === undefined ? [...nameWarnings(object), ...podTemplateWarnings(object, '', host.dialect)] : [],
    gracePeriod,
  },
  subresources: {
    status: {
      resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
          const { ownerReferences, deletionTimestamp } = old.metadata;
          Object.assign(draft.metadata, { ownerReferences, deletionTimestamp });
        },
        validateUpdate: (next, old, { host }) => validatePodStatusUpdate(next, old, host),
      },
    },
    binding: podBinding,
    eviction: podEviction,
    log: podLog,
    exec: podExec,
    attach: podAttach,
    portforward: podPortForward,
    proxy: podProxy,
    ephemeralcontainers: {
      strategy: {
        prepareForUpdate(draft, old) {
          const { ephemeralContainers } = draft.spec;
          const { ephemeralContainers: _, ...spec } = old.spec;
          Object.assign(draft, {
            spec: ephemeralContainers ? { ...spec, ephemeralContainers } : spec,
            status: old.status,
            // As in upstream, this update does not change managed fields.
            metadata: { ...old.metadata, resourceVersion: draft.metadata.resourceVersion },
          });
        },
        validateUpdate: (next, old, { host }) => validateEphemeralContainers(next, old, host),
      },
    },
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName,
    // Before v1, `spec.nodeName` was named `spec.host`. Field selectors may still use the older name.
    'spec.host': ({ spec }) => spec.nodeName,
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
    'spec.schedulerName': ({ spec }) => spec.schedulerName,
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase,
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? status.podIP,
    // Upstream accepts the field selector `status.podIPs`, but its value is always empty. Pods are found only by `status.podIP`.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName,
  },
  columns: podColumns,
  rowConditions: podRowConditions,
});

/** Prepares a new pod: sets its initial status, and copies values between fields that must agree. */
function prepareNewPod(draft: Draft<Pod>, context: StrategyContext): void {
  const { dialect, clock, gates } = context.host;
  const { spec } = draft;
  draft.status = { phase: 'Pending', qosClass: podQosClass(originalOf(spec)) };
  if ((spec.schedulingGates?.length ?? 0) > 0) draft.status.conditions = [gatedCondition(formatTime(clock.now()))];
  if (gates.InPlacePodVerticalScaling) setResizePolicies(spec);
  addLabelKeys(draft);
  alignAppArmor(draft, dialect, (text) => context.warn(text));
}

/** Returns the condition of a pod that is not scheduled yet because it has scheduling gates. */
const gatedCondition = (lastTransitionTime: string) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/**
 * Adds requirements for matchLabelKeys and mismatchLabelKeys to the label selectors of affinity terms. The values are those of the pod's
 * own labels.
 */
function addLabelKeys({ spec, metadata: { labels = {} } }: Draft<Pod>): void {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const preferredTerms = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const must = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const term of [...preferredTerms.map((preferred) => preferred.podAffinityTerm), ...must]) {
      const { labelSelector } = term;
      if (!labelSelector) continue;
      const added = [...requirements(term.matchLabelKeys, 'In'), ...requirements(term.mismatchLabelKeys, 'NotIn')];
      if (added.length > 0) labelSelector.matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
    }
  }
  function requirements(keys: readonly string[] = [], operator: string) {
    return keys.flatMap((key) => (Object.hasOwn(labels, key) ? [{ key, operator, values: [labels[key] ?? ''] }] : []));
  }
}

type Profile = NonNullable<NonNullable<Container['securityContext']>['appArmorProfile']>;

const FIXED = { unconfined: 'Unconfined', 'runtime/default': 'RuntimeDefault' } as const;
const LOCALHOST = 'localhost/';

function annotationOf({ type, localhostProfile }: Profile): string | undefined {
  if (type === 'Localhost') return localhostProfile === undefined ? undefined : LOCALHOST + localhostProfile;
  return Object.entries(FIXED).find(([, name]) => name === type)?.[0];
}

/** Converts the value of an AppArmor annotation to a profile; undefined when no valid profile corresponds to it. */
function profileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined' || annotation === 'runtime/default') return { type: FIXED[annotation] };
  if (!annotation.startsWith(LOCALHOST) || annotation === LOCALHOST) return undefined;
  const profile = { type: 'Localhost' as const, localhostProfile: annotation.slice(LOCALHOST.length) };
  return validateAppArmor('', profile).length > 0 ? undefined : profile;
}

/** Copies an AppArmor profile from the field to the older annotation, or from the annotation to the field, if only one of them is set. */
function alignAppArmor(draft: Draft<Pod>, dialect: Dialect, warn: (text: string) => void): void {
  const { spec, metadata } = draft;
  if (spec.os?.name === 'windows') return;
  const ofPod = spec.securityContext?.appArmorProfile;
  const annotated = metadata.annotations ?? {};
  const { appArmorOf } = podAnnotations(dialect);
  const hasProfile = ({ name, securityContext }: Readonly<ContainerDraft>) =>
    ofPod !== undefined ||
    securityContext?.appArmorProfile !== undefined ||
    Object.hasOwn(annotated, appArmorOf + name);
  for (const container of containersThat(spec, hasProfile)) {
    const name = appArmorOf + container.name;
    const own = container.securityContext?.appArmorProfile;
    const annotations = metadata.annotations ?? {};
    if (!Object.hasOwn(annotations, name)) {
      const profile = own ?? ofPod;
      const annotation = profile && annotationOf(profile);
      if (annotation !== undefined) (metadata.annotations ??= {})[name] = annotation;
      continue;
    }
    if (own) continue;
    const profile = profileOf(annotations[name] ?? '');
    const isPods = profile?.type === ofPod?.type && profile?.localhostProfile === ofPod?.localhostProfile;
    if (profile && !isPods) (container.securityContext ??= {}).appArmorProfile = profile;
    if (!profile || !isPods)
      warn(`metadata.annotations[${name}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}
