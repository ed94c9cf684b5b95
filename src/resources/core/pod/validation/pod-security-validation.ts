import { errorsOf, type FieldError, fieldError, isFull, printed } from '../../../../meta/field-error.js';
import { dns1123Subdomain } from '../../../../meta/names.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { trimSpace } from '../../../../values/trim-space.js';
import { utf8Length } from '../../../../values/utf8.js';
import { oneOf, within } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { validateDescendingPath } from '../../volumes/volume-source-rules.js';
import { placedContainers } from '../pod-containers.js';
import type { PodRules } from './pod-rules.js';

type Rights = NonNullable<Container['securityContext']>;
type PodRights = NonNullable<PodSpec['securityContext']>;

const MAX_ID = 0x7fff_ffff;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAX_PROFILE = 4095;

/** The rights that the server and the pod allow containers to have. */
interface Allowed {
  /** Whether containers may be privileged. */
  readonly privileged: boolean;
  /** Whether containers may have an unmasked `/proc`. This requires that the pod has its own user namespace. */
  readonly unmasked: boolean;
}

/**
 * Returns those validation errors of a container's security context that depend on the server or on the pod: a refused `privileged` or
 * `procMount`.
 */
export const validateShared = (path: string, rights: Rights | undefined, allowed: Allowed): FieldError[] => [
  ...(rights?.privileged === true && !allowed.privileged
    ? [fieldError.forbidden(`${path}.privileged`, 'disallowed by cluster policy')]
    : []),
  ...(rights?.procMount === 'Unmasked' && !allowed.unmasked
    ? [fieldError.invalid(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
    : []),
];

/** Returns the validation errors of a container's security context. */
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

/** Returns the validation errors of an AppArmor profile. */
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
  const bare = trimSpace(name ?? '');
  if (name !== undefined && bare !== name)
    errors.push(fieldError.invalid(at, name, 'must not be padded with whitespace'));
  else if (bare === '') errors.push(fieldError.required(at, 'must be set when AppArmor type is Localhost'));
  if (utf8Length(name ?? '') > MAX_PROFILE) errors.push(fieldError.longerThan(at, MAX_PROFILE));
  return errors;
}

/** Returns the validation errors of a pod's security context. */
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
// `isSysctl` accepts the same names as the pattern in error messages. It checks one segment at a time, because the whole pattern backtracks
// on long names.
const SEGMENT = new RegExp(`^${SYSCTL_SEGMENT}$`);
const isSysctl = (name: string) => name.length <= MAX_SYSCTL && name.split(/[./]/).every((part) => SEGMENT.test(part));

/** Kernel settings that belong to a pod's own network or IPC namespace. */
const OF_IPC = /^(?:kernel\.(?:sem$|shm|msg)|fs\.mqueue\.)/;
const OF_NETWORK = /^net/;

/** Returns why a kernel setting (sysctl) would apply to the node instead of the pod; undefined when it applies only to the pod. */
function hostNamespaceProblem(name: string, { hostNetwork, hostIPC }: PodSpec): string | undefined {
  const setting = name.replaceAll('/', '.');
  if (hostNetwork && OF_NETWORK.test(setting)) return "may not be specified when 'hostNetwork' is true";
  return hostIPC && OF_IPC.test(setting) ? "may not be specified when 'hostIPC' is true" : undefined;
}

/**
 * Validates kernel settings (sysctls).
 * @param old the stored spec. If one of its settings applies to the node, the update may contain any settings that do.
 */
function validateSysctls(
  path: string,
  sysctls: NonNullable<PodRights['sysctls']>,
  spec: PodSpec,
  old: PodSpec | undefined,
): FieldError[] {
  const seen = new Set<string>();
  const mayBeOfNode = old?.securityContext?.sysctls?.some(({ name }) => hostNamespaceProblem(name, old) !== undefined);
  return errorsOf(sysctls, ({ name }, i) => {
    const at = `${path}[${i}].name`;
    const errors: FieldError[] = [];
    const refuse = (why: string) => errors.push(fieldError.invalid(at, name, why));
    if (name === '') errors.push(fieldError.required(at));
    else if (!isSysctl(name)) refuse(`must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_PATTERN}`);
    else if (seen.has(name)) errors.push(fieldError.duplicate(at, name));
    seen.add(name);
    const why = hostNamespaceProblem(name, spec);
    if (why !== undefined && !mayBeOfNode) refuse(why);
    return errors;
  });
}

type Options = NonNullable<NonNullable<Container['securityContext']>['windowsOptions']>;

const MAX_SPEC_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NET_BIOS_NAME = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DOMAIN_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const isDomain = (name: string) =>
  NET_BIOS_NAME.test(name) || name.split('.').every((label) => DOMAIN_LABEL.test(label));
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Returns the validation errors of the Windows options of a pod or a container. */
function validateWindowsOptions(path: string, options: Options | undefined): FieldError[] {
  if (!options) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credentials, runAsUserName: user } = options;
  const errors: FieldError[] = [];
  if (name !== undefined)
    for (const message of dns1123Subdomain(name))
      errors.push(fieldError.invalid(`${path}.gmsaCredentialSpecName`, name, message));
  if (credentials !== undefined) {
    const refuse = (why: string) => errors.push(fieldError.invalid(`${path}.gmsaCredentialSpec`, credentials, why));
    if (credentials === '') refuse('gmsaCredentialSpec cannot be an empty string');
    else if (utf8Length(credentials) > MAX_SPEC_KIB * 1024)
      refuse(`gmsaCredentialSpec size must be under ${MAX_SPEC_KIB} KiB`);
  }
  if (user === undefined) return errors;
  return [
    ...errors,
    ...userProblems(user).map((why) => fieldError.invalid(`${path}.runAsUserName`, user, `runAsUserName${why}`)),
  ];
}

/**
 * Returns the validation errors of `runAsUserName`, which has the form `DOMAIN\user` or `user`. The caller puts the field's name before
 * each message.
 */
function userProblems(text: string): string[] {
  if (text === '') return [' cannot be an empty string'];
  if (CONTROL.test(text)) return [' cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [domain, user = ''] = parts.length === 1 ? [undefined, parts[0]] : parts;
  const problems: string[] = [];
  if (domain !== undefined && utf8Length(domain) >= MAX_DOMAIN)
    problems.push(`'s Domain length must be under ${MAX_DOMAIN} characters`);
  if (domain !== undefined && !isDomain(domain))
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  if (user === '') problems.push("'s User cannot be empty");
  else if (utf8Length(user) > MAX_USER) problems.push(`'s User length must not be longer than ${MAX_USER} characters`);
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  return problems;
}

/**
 * Checks HostProcess containers. If a pod has one, all its containers must be HostProcess containers, the pod must use the host's network,
 * and the server must allow privileged containers.
 */
export function validateHostProcesses(spec: PodSpec, rules: PodRules): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let [count, all] = [0, 0];
  for (const { container, path } of placedContainers(spec)) {
    all++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own && !isFull(errors)) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(fieldError.invalid(`${path}.securityContext.windowsOptions.hostProcess`, own, why));
    }
    if (own ?? ofPod) count++;
  }
  if (count === 0) return errors;
  if (count !== all) {
    const why = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(fieldError.invalid('spec', '', why));
  }
  if (!spec.hostNetwork) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(fieldError.invalid('spec.hostNetwork', false, why));
  }
  if (!rules.allowPrivileged)
    errors.push(fieldError.forbidden('spec', 'hostProcess containers are disallowed by cluster policy'));
  return errors;
}

const SYSTEMS = ['linux', 'windows'];
/** Members that pods for Windows may not have, in the order in which error messages list them. */
const POD_OF_LINUX: readonly ((spec: PodSpec) => readonly [path: string, value: unknown])[] = [
  ({ securityContext: s }) => ['securityContext.appArmorProfile', s?.appArmorProfile],
  ({ securityContext: s }) => ['securityContext.seLinuxOptions', s?.seLinuxOptions],
  ({ hostUsers }) => ['hostUsers', hostUsers],
  ({ hostPID }) => ['hostPID', hostPID || undefined],
  ({ hostIPC }) => ['hostIPC', hostIPC || undefined],
  ({ securityContext: s }) => ['securityContext.seccompProfile', s?.seccompProfile],
  ({ securityContext: s }) => ['securityContext.fsGroup', s?.fsGroup],
  ({ securityContext: s }) => ['securityContext.fsGroupChangePolicy', s?.fsGroupChangePolicy],
  ({ securityContext: s }) => ['securityContext.sysctls', s?.sysctls?.length || undefined],
  ({ shareProcessNamespace }) => ['shareProcessNamespace', shareProcessNamespace],
  ({ securityContext: s }) => ['securityContext.runAsUser', s?.runAsUser],
  ({ securityContext: s }) => ['securityContext.runAsGroup', s?.runAsGroup],
  ({ securityContext: s }) => ['securityContext.supplementalGroups', s?.supplementalGroups],
  ({ securityContext: s }) => ['securityContext.supplementalGroupsPolicy', s?.supplementalGroupsPolicy],
];
const CONTAINER_OF_LINUX = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Checks that a pod for Linux has no members for Windows, and the other way round. */
export function validateSystem(spec: PodSpec): FieldError[] {
  const { os } = spec;
  if (!os) return [];
  const name: string = os.name;
  if (name === '') return [fieldError.required('spec.os.name', 'cannot be empty')];
  if (!SYSTEMS.includes(name)) return [fieldError.notSupported('spec.os', name, SYSTEMS)];
  return name === 'linux' ? validateLinux(spec) : validateWindows(spec);
}

function validateLinux(spec: PodSpec): FieldError[] {
  const refuse = (path: string) =>
    fieldError.forbidden(`${path}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod');
  const errors = spec.securityContext?.windowsOptions ? [refuse('spec')] : [];
  for (const {
    container: { securityContext },
    path,
  } of placedContainers(spec)) {
    if (isFull(errors)) break;
    if (securityContext?.windowsOptions) errors.push(refuse(path));
  }
  return errors;
}

function validateWindows(spec: PodSpec): FieldError[] {
  const refuse = (path: string) => fieldError.forbidden(path, 'cannot be set for a windows pod');
  const errors = POD_OF_LINUX.map((read) => read(spec))
    .filter(([, value]) => value !== undefined)
    .map(([path]) => refuse(`spec.${path}`));
  for (const {
    container: { securityContext },
    path,
  } of placedContainers(spec)) {
    if (isFull(errors)) break;
    for (const field of CONTAINER_OF_LINUX)
      if (securityContext?.[field] !== undefined) errors.push(refuse(`${path}.securityContext.${field}`));
  }
  return errors;
}
