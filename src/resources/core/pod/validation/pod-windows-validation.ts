import { type FieldError, fieldError, isFull } from '../../../../meta/field-error.js';
import { dns1123Subdomain } from '../../../../meta/names.js';
import { utf8Length } from '../../../../values/utf8.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { placedContainers } from '../pod-containers.js';
import type { PodRules } from './pod-rules.js';

type Options = NonNullable<NonNullable<Container['securityContext']>['windowsOptions']>;

const MAX_SPEC_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NET_BIOS_NAME = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DOMAIN_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const isDomain = (name: string) =>
  NET_BIOS_NAME.test(name) || name.split('.').every((label) => DOMAIN_LABEL.test(label));
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Returns the problems of the Windows options of a pod or a container. */
export function validateWindowsOptions(path: string, options: Options | undefined): FieldError[] {
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

/** Returns the problems of a user name: `DOMAIN\user`, or only `user`. */
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
 * Checks HostProcess containers: all containers of a pod must be such or none, on the host's network, and the server must allow privileged
 * containers.
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
/** Members that pods for Windows may not have, in the order of messages. */
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

/** Checks that a pod for one operating system has no members for the other. */
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
