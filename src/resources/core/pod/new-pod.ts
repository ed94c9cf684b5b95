import { formatTime } from '../../../meta/clock.js';
import type { Dialect } from '../../../meta/dialect.js';
import { unedited } from '../../../registry/edit.js';
import type { Draft, StrategyContext } from '../../../registry/strategy.js';
import type { Container, Pod } from '../core-v1.types.js';
import { type ContainerDraft, containersThat } from './pod-containers.js';
import { podQosClass } from './pod-qos.js';
import { setResizePolicies } from './pod-resize.js';
import { podAnnotations } from './validation/pod-annotation-validation.js';
import { validateAppArmor } from './validation/pod-security-validation.js';

/** Prepares a new pod: sets its initial status, and copies values between fields that must agree. */
export function prepareNewPod(draft: Draft<Pod>, context: StrategyContext): void {
  const { dialect, clock, gates } = context.host;
  const { spec } = draft;
  draft.status = { phase: 'Pending', qosClass: podQosClass(unedited(spec)) };
  if ((spec.schedulingGates?.length ?? 0) > 0) draft.status.conditions = [gated(formatTime(clock.now()))];
  if (gates.InPlacePodVerticalScaling) setResizePolicies(spec);
  addLabelKeys(draft);
  alignAppArmor(draft, dialect, (text) => context.warn(text));
}

/** The condition that a pod with scheduling gates is not to be scheduled yet. */
const gated = (lastTransitionTime: string) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/** Adds requirements to label selectors for matchLabelKeys and mismatchLabelKeys, with the values of the pod's own labels. */
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

/** Returns the profile of an annotation, or undefined when no valid field corresponds to it. */
function profileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined' || annotation === 'runtime/default') return { type: FIXED[annotation] };
  if (!annotation.startsWith(LOCALHOST) || annotation === LOCALHOST) return undefined;
  const profile = { type: 'Localhost' as const, localhostProfile: annotation.slice(LOCALHOST.length) };
  return validateAppArmor('', profile).length > 0 ? undefined : profile;
}

/** Copies an AppArmor profile between the field and the older annotation, whichever of them is given. */
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
