import type { Container } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { quote } from '../../values/quote.js';
import {
  type Check,
  containersWith,
  containerWords,
  contextOf,
  distinct,
  isSeccompProfile,
  joinQuoted,
  plural,
  type SecuredPod,
  setters,
} from './check.js';

const CAPABILITIES =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  );
/** The allowed sysctls, with the minor release since which each is allowed. */
const SYSCTLS: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
};
const SE_LINUX_TYPES: Readonly<Record<string, number>> = {
  '': 0,
  container_t: 0,
  container_init_t: 0,
  container_kvm_t: 0,
  container_engine_t: 31,
};
const isAllowed = (table: Readonly<Record<string, number>>, word: string, release: number): boolean =>
  Object.hasOwn(table, word) && (table[word] ?? 0) <= release;

const podContext = ({ spec }: SecuredPod) => spec.securityContext ?? {};

const hostNamespaces: Check = {
  name: 'hostNamespaces',
  find({ spec }) {
    const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((member) => spec[member] === true);
    if (set.length === 0) return undefined;
    return { reason: 'host namespaces', detail: set.map((member) => `${member}=true`).join(', ') };
  },
};

const privileged: Check = {
  name: 'privileged',
  find(pod) {
    const bad = containersWith(pod, (container) => contextOf(container).privileged === true);
    if (bad.length === 0) return undefined;
    return { reason: 'privileged', detail: `${containerWords(bad)} must not set securityContext.privileged=true` };
  },
};

const capabilities: Check = {
  name: 'capabilities_baseline',
  find(pod) {
    const addedCapabilities = (container: Container) =>
      (contextOf(container).capabilities?.add ?? []).filter((name) => !CAPABILITIES.includes(name));
    const bad = containersWith(pod, (container) => addedCapabilities(container).length > 0);
    if (bad.length === 0) return undefined;
    const names = joinQuoted(distinct(bad.flatMap(addedCapabilities)));
    return {
      reason: 'non-default capabilities',
      detail: `${containerWords(bad)} must not include ${names} in securityContext.capabilities.add`,
    };
  },
};

const hostPathVolumes: Check = {
  name: 'hostPathVolumes',
  find({ spec: { volumes = [] } }) {
    const bad = volumes.filter((volume) => 'hostPath' in volume);
    if (bad.length === 0) return undefined;
    const names = joinQuoted(bad.map(({ name }) => name));
    return { reason: 'hostPath volumes', detail: `${plural(bad.length, 'volume')} ${names}` };
  },
};

const hostPorts: Check = {
  name: 'hostPorts',
  find(pod) {
    const portsOf = ({ ports = [] }: Container) =>
      ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
    const bad = containersWith(pod, (container) => portsOf(container).length > 0);
    if (bad.length === 0) return undefined;
    const ports = distinct(bad.flatMap(portsOf));
    const use = bad.length === 1 ? 'uses' : 'use';
    return {
      reason: 'hostPort',
      detail: `${containerWords(bad)} ${use} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
    };
  },
};

const procMount: Check = {
  name: 'procMount',
  notInUserNamespace: true,
  find(pod) {
    const mountOf = (container: Container) => contextOf(container).procMount ?? 'Default';
    const bad = containersWith(pod, (container) => mountOf(container) !== 'Default');
    if (bad.length === 0) return undefined;
    const types = joinQuoted(distinct(bad.map(mountOf)));
    return { reason: 'procMount', detail: `${containerWords(bad)} must not set securityContext.procMount to ${types}` };
  },
};

const seLinuxOptions: Check = {
  name: 'seLinuxOptions',
  find(pod, release) {
    type Options = NonNullable<ReturnType<typeof podContext>['seLinuxOptions']>;
    const isBadType = ({ type = '' }: Options) => !isAllowed(SE_LINUX_TYPES, type, release);
    const isBad = (options: Options | undefined) =>
      options !== undefined && (isBadType(options) || (options.user ?? '') !== '' || (options.role ?? '') !== '');
    const ofPod = podContext(pod).seLinuxOptions;
    const containers = containersWith(pod, (container) => isBad(contextOf(container).seLinuxOptions));
    const who = setters(isBad(ofPod), containers);
    if (who === undefined) return undefined;
    const all = [ofPod, ...containers.map((container) => contextOf(container).seLinuxOptions)].filter(
      (options): options is Options => options !== undefined,
    );
    const types = distinct(all.filter(isBadType).map(({ type = '' }) => type));
    const what = [
      ...(types.length > 0 ? [`${plural(types.length, 'type')} ${joinQuoted(types)}`] : []),
      ...(all.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(all.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`,
    };
  },
};

const SECCOMP_FIELDS = 19;

const seccompProfile: Check = {
  name: 'seccompProfile_baseline',
  find(pod, release, dialect) {
    if (release < SECCOMP_FIELDS) return seccompAnnotations(pod, dialect.labelDomain);
    const isBad = (type: string | undefined) => type !== undefined && !isSeccompProfile(type);
    const ofPod = podContext(pod).seccompProfile?.type;
    const typeOf = (container: Container) => contextOf(container).seccompProfile?.type;
    const containers = containersWith(pod, (container) => isBad(typeOf(container)));
    const who = setters(isBad(ofPod), containers);
    if (who === undefined) return undefined;
    const types = [ofPod, ...containers.map(typeOf)].filter((type) => type !== undefined && isBad(type));
    return {
      reason: 'seccompProfile',
      detail: `${who} must not set securityContext.seccompProfile.type to ${joinQuoted(distinct(types as string[]))}`,
    };
  },
};

/** Returns the violation by a pod's seccomp annotations, which older releases used instead of the fields; undefined when there is none. */
function seccompAnnotations({ metadata, spec }: SecuredPod, domain: string) {
  const { annotations = {} } = metadata ?? {};
  const names = [
    `seccomp.security.alpha.${domain}/pod`,
    ...allContainers(spec).map(({ name }) => `container.seccomp.security.alpha.${domain}/${name}`),
  ];
  const isGood = (value: string) =>
    value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
  const bad = names.flatMap((name) => {
    const value = annotations[name];
    return value === undefined || isGood(value) ? [] : [`${name}=${quote(value)}`];
  });
  if (bad.length === 0) return undefined;
  const words = distinct(bad);
  return { reason: 'seccompProfile', detail: `forbidden ${plural(words.length, 'annotation')} ${words.join(', ')}` };
}

const sysctls: Check = {
  name: 'sysctls',
  find(pod, release) {
    const names = (podContext(pod).sysctls ?? []).map(({ name }) => name);
    const bad = names.filter((name) => !isAllowed(SYSCTLS, name, release));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  },
};

const appArmorProfile: Check = {
  name: 'appArmorProfile',
  find(pod, _release, { labelDomain }) {
    // AppArmor profiles may have the same types as seccomp profiles, so the same function checks both.
    const isBad = (type: string | undefined) => type !== undefined && !isSeccompProfile(type);
    const ofPod = podContext(pod).appArmorProfile?.type;
    const typeOf = (container: Container) => contextOf(container).appArmorProfile?.type;
    const containers = containersWith(pod, (container) => isBad(typeOf(container)));
    // The filter removes undefined types, so the cast is safe.
    const types = [ofPod, ...containers.map(typeOf)].filter((type) => isBad(type)) as string[];
    const annotations = Object.entries(pod.metadata?.annotations ?? {})
      .filter(
        ([name, value]) => name.startsWith(`container.apparmor.security.beta.${labelDomain}/`) && !isGoodProfile(value),
      )
      .map(([name, value]) => `${name}=${quote(value)}`)
      .sort();
    const who = [
      ...[setters(isBad(ofPod), containers)].filter((word) => word !== undefined),
      ...(annotations.length > 0 ? [plural(annotations.length, 'annotation')] : []),
    ];
    if (who.length === 0) return undefined;
    const values = [...distinct(types), ...annotations];
    return {
      reason: plural(values.length, 'forbidden AppArmor profile'),
      detail: `${who.join(' and ')} must not set AppArmor profile type to ${joinQuoted(values)}`,
    };
  },
};
const isGoodProfile = (value: string): boolean =>
  value === '' || value === 'runtime/default' || value.startsWith('localhost/');

const windowsHostProcess: Check = {
  name: 'windowsHostProcess',
  find(pod) {
    const isBad = ({ windowsOptions }: ReturnType<typeof podContext>) => windowsOptions?.hostProcess === true;
    const who = setters(
      isBad(podContext(pod)),
      containersWith(pod, (container) => isBad(contextOf(container))),
    );
    if (who === undefined) return undefined;
    return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
  },
};

/** The rules of the baseline level, in the order in which messages list them. The privileged level has no rules. */
export const baselineChecks: readonly Check[] = [
  appArmorProfile,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfile,
  sysctls,
  windowsHostProcess,
];
