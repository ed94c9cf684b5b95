import type { Dialect } from '../../../../meta/dialect.js';
import { type FieldError, fieldError, isFull } from '../../../../meta/field-error.js';
import type { ObjectMeta } from '../../../../meta/object-meta.js';
import { quote } from '../../../../values/quote.js';
import { validateAnnotatedList } from '../../annotated-list.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { validateDescendingPath } from '../../volumes/volume-source-rules.js';
import { allContainers, placedContainers } from '../pod-containers.js';
import type { PodRules } from './pod-rules.js';
import { validateTolerations } from './pod-scheduling-validation.js';

type Rights = NonNullable<Container['securityContext']>;
type Annotations = Readonly<Record<string, string>>;

/**
 * Returns the keys of the pod annotations that the server validates. They contain the domain that the API dialect uses in labels and
 * annotations (`kubernetes.io` in the k8s dialect).
 */
export function podAnnotations({ labelDomain }: Dialect) {
  return {
    mirror: `${labelDomain}/config.mirror`,
    deletionCost: `controller.${labelDomain}/pod-deletion-cost`,
    tolerations: `scheduler.alpha.${labelDomain}/tolerations`,
    seccomp: `seccomp.security.alpha.${labelDomain}/pod`,
    /** A prefix that is followed by the name of a container. */
    seccompOf: `container.seccomp.security.alpha.${labelDomain}/`,
    appArmorOf: `container.apparmor.security.beta.${labelDomain}/`,
  };
}

const has = (annotations: Annotations, name: string) => Object.hasOwn(annotations, name);
const LOCALHOST = 'localhost/';
const TOLERATION = { type: coreV1.struct('Toleration'), kind: 'core.Toleration', validate: validateTolerations };

/** Returns the validation errors of the annotations at `path` that concern a pod's spec. */
export function validatePodAnnotations(
  path: string,
  annotations: Annotations | undefined,
  spec: PodSpec,
  { dialect, gates, before }: PodRules,
): FieldError[] {
  if (annotations === undefined) return [];
  const names = podAnnotations(dialect);
  const errors: FieldError[] = [];
  const { mirror, deletionCost, seccomp, tolerations } = names;
  if (has(annotations, mirror) && (spec.nodeName ?? '') === '') {
    const why = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(fieldError.invalid(`${path}[${mirror}]`, annotations[mirror], why));
  }
  errors.push(...validateAnnotatedList(path, annotations, tolerations, TOLERATION));
  // The deletion cost is checked only if its feature gate is on. An invalid value that is already stored is accepted.
  const lookAtCost = gates.PodDeletionCost && isCost(before?.metadata.annotations?.[deletionCost] ?? '0');
  if (lookAtCost && has(annotations, deletionCost) && !isCost(annotations[deletionCost] ?? ''))
    errors.push(fieldError.invalid(`${path}[${deletionCost}]`, annotations[deletionCost], 'must be a 32bit integer'));
  if (has(annotations, seccomp)) errors.push(...validateSeccomp(`${path}.${seccomp}`, annotations[seccomp] ?? ''));
  const entries = Object.entries(annotations);
  for (const [name, value] of entries)
    if (name.startsWith(names.seccompOf)) errors.push(...validateSeccomp(`${path}.${name}`, value));
  const containers = new Set(allContainers<Container>(spec).map(({ name }) => name));
  for (const [name, value] of entries) {
    if (!name.startsWith(names.appArmorOf)) continue;
    const container = name.slice(names.appArmorOf.length);
    if (!containers.has(container))
      errors.push(fieldError.invalid(`${path}[${name}]`, container, 'container not found'));
    if (!['', 'runtime/default', 'unconfined'].includes(value) && !value.startsWith(LOCALHOST))
      errors.push(fieldError.invalid(`${path}[${name}]`, value, `invalid AppArmor profile name: ${quote(value)}`));
  }
  return errors;
}

/** Whether a string is a 32-bit integer without a leading plus sign or zero. */
const isCost = (text: string) =>
  text === '0' || (/^-?[1-9][0-9]{0,9}$/.test(text) && Number(text) === (Number(text) | 0));

function validateSeccomp(path: string, profile: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith(LOCALHOST)) return validateDescendingPath(path, profile.slice(LOCALHOST.length));
  return [fieldError.invalid(path, profile, 'must be a valid seccomp profile')];
}

type Profile = NonNullable<Rights['seccompProfile'] | Rights['appArmorProfile']>;

/**
 * Checks that an annotation agrees with `profile`, the field that replaced the annotation. `usual` contains the annotation values that mean
 * the runtime's default profile.
 */
function validateSame(path: string, annotation: string, profile: Profile, what: string, usual: readonly string[]) {
  const { type, localhostProfile } = profile;
  const refuse = (field: string, name: string) => [
    fieldError.forbidden(`${path}.${field}`, `${what} ${name} in annotation and field must match`),
  ];
  const wrongType = () => refuse('type', 'type');
  if (type === 'Unconfined') return annotation === 'unconfined' ? [] : wrongType();
  if (type === 'RuntimeDefault') return usual.includes(annotation) ? [] : wrongType();
  if (type !== 'Localhost') return [];
  if (!annotation.startsWith(LOCALHOST)) return wrongType();
  return annotation.slice(LOCALHOST.length) === localhostProfile ? [] : refuse('localhostProfile', 'profile');
}

/**
 * Returns the validation errors of profiles that a new pod or a template declares both in annotations and in fields. The paths of the
 * errors begin with `spec`, even in a template.
 */
export function validateTwoWays({ annotations = {} }: ObjectMeta, spec: PodSpec, dialect: Dialect): FieldError[] {
  const { seccomp, seccompOf, appArmorOf } = podAnnotations(dialect);
  const isProfile = (name: string) => name === seccomp || name.startsWith(seccompOf) || name.startsWith(appArmorOf);
  if (!Object.keys(annotations).some(isProfile)) return [];
  const ofPod = spec.securityContext;
  const errors: FieldError[] = [];
  const seccompErrors = (path: string, name: string, profile: Rights['seccompProfile']) =>
    profile && has(annotations, name)
      ? validateSame(path, annotations[name] ?? '', profile, 'seccomp', ['runtime/default', 'docker/default'])
      : [];
  errors.push(...seccompErrors('spec.securityContext.seccompProfile', seccomp, ofPod?.seccompProfile));
  for (const {
    container: { name, securityContext },
    path,
  } of placedContainers(spec)) {
    if (isFull(errors)) break;
    const at = `${path}.securityContext.seccompProfile`;
    errors.push(...seccompErrors(at, seccompOf + name, securityContext?.seccompProfile));
  }
  if (spec.os?.name === 'windows') return errors;
  for (const {
    container: { name, securityContext },
    path,
  } of placedContainers(spec)) {
    if (isFull(errors)) break;
    const profile = securityContext?.appArmorProfile ?? ofPod?.appArmorProfile;
    const at = `${path}.securityContext.appArmorProfile`;
    if (profile && has(annotations, appArmorOf + name))
      errors.push(...validateSame(at, annotations[appArmorOf + name] ?? '', profile, 'apparmor', ['runtime/default']));
  }
  return errors;
}

/** Whether a pod is a mirror pod, which represents a static pod of its kubelet. */
export const isMirrorPod = ({ annotations = {} }: ObjectMeta, dialect: Dialect): boolean =>
  has(annotations, podAnnotations(dialect).mirror);

/**
 * Checks that annotations that are immutable after creation do not change. The check applies to updates of the pod, its status and its
 * ephemeral containers.
 */
export function validateFixedAnnotations(next: ObjectMeta, old: ObjectMeta, dialect: Dialect): FieldError[] {
  const [annotations = {}, before = {}] = [next.annotations, old.annotations];
  if (annotations === before) return [];
  const { mirror, appArmorOf } = podAnnotations(dialect);
  const refuseNames = (names: string[], verb: string) =>
    names.flatMap((name) => {
      const path = `metadata.annotations[${name}]`;
      if (name === mirror) return [fieldError.forbidden(path, `may not ${verb} mirror pod annotation`)];
      if (name.startsWith(appArmorOf)) return [fieldError.forbidden(path, `may not ${verb} AppArmor annotations`)];
      return [];
    });
  const changed = Object.keys(before).filter((name) => !has(annotations, name) || annotations[name] !== before[name]);
  const added = Object.keys(annotations).filter((name) => !has(before, name));
  return [...refuseNames(changed, 'remove or update'), ...refuseNames(added, 'add')];
}
