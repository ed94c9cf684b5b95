import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { utf8Length } from '../../../../values/utf8.js';
import { oneOf, within } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { validateDescendingPath } from '../../volumes/volume-source-rules.js';
import type { PodRules } from './pod-rules.js';
import { validateWindowsOptions } from './pod-windows-validation.js';

type Rights = NonNullable<Container['securityContext']>;
type PodRights = NonNullable<PodSpec['securityContext']>;

const MAX_ID = 0x7fff_ffff;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAX_PROFILE = 4095;

/** The rights that the server and the pod allow containers to have. */
interface Allowed {
  /** Whether containers may be privileged. */
  readonly privileged: boolean;
  /** Whether containers may have an unmasked `/proc`, which needs a user namespace of the pod. */
  readonly unmasked: boolean;
}

/** Returns the problems that depend on more than the container. */
export const validateShared = (path: string, rights: Rights | undefined, allowed: Allowed): FieldError[] => [
  ...(rights?.privileged === true && !allowed.privileged
    ? [fieldError.forbidden(`${path}.privileged`, 'disallowed by cluster policy')]
    : []),
  ...(rights?.procMount === 'Unmasked' && !allowed.unmasked
    ? [fieldError.invalid(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
    : []),
];

/** Returns the problems of a container's security context. */
export function validateRights(path: string, rights: Rights | undefined, allowed: Allowed): FieldError[] {
  if (!rights) return [];
  const errors = [
    ...validateShared(path, rights, { ...allowed, unmasked: true }),
    ...within(`${path}.runAsUser`, rights.runAsUser, 0, MAX_ID),
    ...within(`${path}.runAsGroup`, rights.runAsGroup, 0, MAX_ID),
    ...oneOfThese(`${path}.procMount`, rights.procMount, ['Default', 'Unmasked']),
    ...validateShared(path, rights, { ...allowed, privileged: true }),
    ...validateSeccomp(`${path}.seccompProfile`, rights.seccompProfile),
  ];
  if (rights.allowPrivilegeEscalation === false) {
    const shown = printed(printGoSyntax(coreV1.struct('SecurityContext'), rights));
    const contradicts = (what: string) =>
      errors.push(fieldError.invalid(path, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`));
    if (rights.privileged === true) contradicts('`privileged` to true');
    for (const capability of rights.capabilities?.add ?? [])
      if (capability === 'CAP_SYS_ADMIN') contradicts('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [
    ...errors,
    ...validateWindowsOptions(`${path}.windowsOptions`, rights.windowsOptions),
    ...validateAppArmor(`${path}.appArmorProfile`, rights.appArmorProfile),
  ];
}

function validateSeccomp(path: string, profile: Rights['seccompProfile']): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile: file } = profile;
  const errors =
    type === ('' as string)
      ? [fieldError.required(`${path}.type`, 'type is required when seccompProfile is set')]
      : oneOf(`${path}.type`, type, PROFILE_TYPES);
  const at = `${path}.localhostProfile`;
  if (type !== 'Localhost') {
    if (file === undefined) return errors;
    const shown = printed(printGoSyntax(coreV1.struct('SeccompProfile'), profile));
    return [...errors, fieldError.invalid(at, shown, 'can only be set when seccomp type is Localhost')];
  }
  if (file === undefined) return [...errors, fieldError.required(at, 'must be set when seccomp type is Localhost')];
  return [...errors, ...validateDescendingPath(at, file)];
}

/** Returns the problems of an AppArmor profile. */
export function validateAppArmor(path: string, profile: Rights['appArmorProfile']): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile: name } = profile;
  const at = `${path}.localhostProfile`;
  if (type === ('' as string))
    return [fieldError.required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (type !== 'Localhost') {
    const errors = oneOf(`${path}.type`, type, PROFILE_TYPES);
    if (errors.length > 0 || name === undefined) return errors;
    return [fieldError.invalid(at, name, 'can only be set when AppArmor type is Localhost')];
  }
  const errors: FieldError[] = [];
  const bare = name?.trim() ?? '';
  if (name !== undefined && bare !== name)
    errors.push(fieldError.invalid(at, name, 'must not be padded with whitespace'));
  else if (bare === '') errors.push(fieldError.required(at, 'must be set when AppArmor type is Localhost'));
  if (utf8Length(name ?? '') > MAX_PROFILE) errors.push(fieldError.longerThan(at, MAX_PROFILE));
  return errors;
}

/** Returns the problems of a pod's security context. */
export function validatePodRights(spec: PodSpec, { before }: PodRules): FieldError[] {
  const { securityContext: rights } = spec;
  if (!rights) return [];
  const path = 'spec.securityContext';
  return [
    ...within(`${path}.fsGroup`, rights.fsGroup, 0, MAX_ID),
    ...within(`${path}.runAsUser`, rights.runAsUser, 0, MAX_ID),
    ...within(`${path}.runAsGroup`, rights.runAsGroup, 0, MAX_ID),
    ...errorsOf(rights.supplementalGroups ?? [], (id, i) => within(`${path}.supplementalGroups[${i}]`, id, 0, MAX_ID)),
    ...(spec.shareProcessNamespace && spec.hostPID
      ? [
          fieldError.invalid(
            `${path}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...validateSysctls(`${path}.sysctls`, rights.sysctls ?? [], spec, before?.spec),
    ...oneOfThese(`${path}.fsGroupChangePolicy`, rights.fsGroupChangePolicy, ['Always', 'OnRootMismatch']),
    ...validateSeccomp(`${path}.seccompProfile`, rights.seccompProfile),
    ...validateWindowsOptions(`${path}.windowsOptions`, rights.windowsOptions),
    ...validateAppArmor(`${path}.appArmorProfile`, rights.appArmorProfile),
    ...oneOfThese(`${path}.supplementalGroupsPolicy`, rights.supplementalGroupsPolicy, ['Merge', 'Strict']),
  ];
}

function oneOfThese(path: string, value: string | undefined, values: readonly string[]): FieldError[] {
  return value === undefined || values.includes(value) ? [] : [fieldError.notSupported(path, value, values)];
}

/** Checks that a pod with its own user namespace does not use other namespaces of its node. */
export function validateOwnUsers(spec: PodSpec): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const refused = { hostNetwork: spec.hostNetwork, HostPID: spec.hostPID, HostIPC: spec.hostIPC };
  return Object.entries(refused).flatMap(([name, shares]) =>
    shares ? [fieldError.forbidden(`spec.${name}`, 'when `pod.Spec.HostUsers` is false')] : [],
  );
}

const SYSCTL_SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL_PATTERN = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
const MAX_SYSCTL = 253;
// This accepts the same names as the pattern in messages, but checks one segment at a time.
const SEGMENT = new RegExp(`^${SYSCTL_SEGMENT}$`);
const isSysctl = (name: string) => name.length <= MAX_SYSCTL && name.split(/[./]/).every((part) => SEGMENT.test(part));

/** Kernel settings that belong to a pod's own network or IPC namespace. */
const OF_IPC = /^(?:kernel\.(?:sem$|shm|msg)|fs\.mqueue\.)/;
const OF_NETWORK = /^net/;

/** Returns why a setting does not belong to the pod, or undefined when it does. */
function notItsOwn(name: string, { hostNetwork, hostIPC }: PodSpec): string | undefined {
  const setting = name.replaceAll('/', '.');
  if (hostNetwork && OF_NETWORK.test(setting)) return "may not be specified when 'hostNetwork' is true";
  return hostIPC && OF_IPC.test(setting) ? "may not be specified when 'hostIPC' is true" : undefined;
}

/** Validates kernel settings. @param old the stored pod; if it has settings of its node, others are accepted */
function validateSysctls(
  path: string,
  sysctls: NonNullable<PodRights['sysctls']>,
  spec: PodSpec,
  old: PodSpec | undefined,
): FieldError[] {
  const seen = new Set<string>();
  const mayBeOfNode = old?.securityContext?.sysctls?.some(({ name }) => notItsOwn(name, old) !== undefined);
  return errorsOf(sysctls, ({ name }, i) => {
    const at = `${path}[${i}].name`;
    const errors: FieldError[] = [];
    const refuse = (why: string) => errors.push(fieldError.invalid(at, name, why));
    if (name === '') errors.push(fieldError.required(at));
    else if (!isSysctl(name)) refuse(`must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_PATTERN}`);
    else if (seen.has(name)) errors.push(fieldError.duplicate(at, name));
    seen.add(name);
    const why = notItsOwn(name, spec);
    if (why !== undefined && !mayBeOfNode) refuse(why);
    return errors;
  });
}
