import type { Dialect } from '../../../meta/dialect.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';
import { dns1123Subdomain, qualifiedName } from '../../../meta/names.js';
import { checked, named } from '../../fragments/value-rules.js';
import type { Pod } from './pod-schema.js';
import type { PodSpec } from './pod-spec.js';
import type { ContainerStatus, PodStatus } from './pod-status.js';

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

const mirrorAnnotation = ({ labelDomain }: Dialect) => `${labelDomain}/config.mirror`;

/** Whether a node has made a pod of its own: such pods are not what others want to run. */
export const isMirrorPod = ({ metadata }: Pod, dialect: Dialect): boolean =>
  metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, mirrorAnnotation(dialect));

/** Annotations that stay as a pod was made with them, on every route. */
export function validateFixedAnnotations(next: Pod, old: Pod, dialect: Dialect): FieldError[] {
  const [annotations = {}, before = {}] = [next.metadata.annotations, old.metadata.annotations];
  if (annotations === before) return [];
  const profiles = `container.apparmor.security.beta.${dialect.labelDomain}/`;
  const mirror = mirrorAnnotation(dialect);
  const refused = (names: string[], verb: string) =>
    names.flatMap((name) => {
      const path = `metadata.annotations[${name}]`;
      if (name === mirror) return [fieldError.forbidden(path, `may not ${verb} mirror pod annotation`)];
      if (name.startsWith(profiles)) return [fieldError.forbidden(path, `may not ${verb} AppArmor annotations`)];
      return [];
    });
  const changed = Object.keys(before).filter(
    (name) => !Object.hasOwn(annotations, name) || annotations[name] !== before[name],
  );
  const added = Object.keys(annotations).filter((name) => !Object.hasOwn(before, name));
  return [...refused(changed, 'remove or update'), ...refused(added, 'add')];
}

/** Problems of a pod's new status. */
export function validatePodStatusUpdate(next: Pod, old: Pod, dialect: Dialect): FieldError[] {
  const { status } = next;
  const { nominatedNodeName } = status;
  const ended = (list: StatusList, restarts: (name: string, exitCode: number) => boolean) =>
    validateEnded(status[list] ?? [], old.status[list] ?? [], `status.${list}`, restarts);
  const restarts = restartRule(old.spec);
  const sidecars = new Set(
    (old.spec.initContainers ?? []).filter((each) => each.restartPolicy === 'Always').map(({ name }) => name),
  );
  return [
    ...validateFixedAnnotations(next, old, dialect),
    ...(status.conditions ?? []).flatMap(({ type }, i) =>
      // The reference's path.
      SYSTEM_CONDITIONS.has(type) ? [] : named(`metadata.conditions[${i}].Type`, type, qualifiedName),
    ),
    ...(nominatedNodeName === old.status.nominatedNodeName
      ? []
      : checked('status.nominatedNodeName', nominatedNodeName, dns1123Subdomain)),
    ...ended('containerStatuses', (_name, exitCode) => restarts(exitCode)),
    ...ended('initContainerStatuses', (name, exitCode) => restarts(exitCode) || sidecars.has(name)),
    ...ended('ephemeralContainerStatuses', () => false),
    ...validateClaimStatuses(status, next.spec),
  ];
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

const restartRule =
  ({ restartPolicy }: PodSpec) =>
  (exitCode: number) =>
    restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);

/** What has ended for good stays so. */
function validateEnded(
  next: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  path: string,
  restarts: (name: string, exitCode: number) => boolean,
): FieldError[] {
  if (next === old) return [];
  const going = new Set(next.filter(({ state }) => !state?.terminated).map(({ name }) => name));
  return old.flatMap(({ name, state }, i) => {
    if (!state?.terminated || restarts(name, state.terminated.exitCode) || !going.has(name)) return [];
    return [fieldError.forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}

/** Claims were made for entries of the spec, each once. */
function validateClaimStatuses({ resourceClaimStatuses = [] }: PodStatus, spec: PodSpec): FieldError[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  return resourceClaimStatuses.flatMap(({ name, resourceClaimName }, i) => {
    const path = `status.resourceClaimStatuses[${i}].name`;
    const errors = known.has(name)
      ? []
      : [fieldError.invalid(path, name, 'must match the name of an entry in `spec.resourceClaims`')];
    if (seen.has(name)) errors.push(fieldError.duplicate(path, name));
    seen.add(name);
    return [...errors, ...checked(path, resourceClaimName ?? undefined, dns1123Subdomain)];
  });
}
