import { describe, expect, it } from 'vitest';
import { annotated, named, type Row, SECCOMP_CONTAINERS, SECCOMP_POD, said, seccomp } from './violation.js';

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';
const armor = (type: string) => ({ appArmorProfile: { type } });
const linux = (seLinuxOptions: object) => ({ seLinuxOptions });
const LINUX_TYPES = {
  a: linux({ type: 'container_t' }),
  b: linux({ type: 'container_init_t' }),
  c: linux({ type: 'container_kvm_t' }),
};
const ONE_EACH = { d: linux({ type: 'bar' }), e: linux({ user: 'bar' }), f: linux({ role: 'baz' }) };
const ALL_THREE = linux({ type: 'foo', user: 'bar', role: 'baz' });
const process = (hostProcess: boolean) => ({ windowsOptions: { hostProcess } });
const add = (...names: readonly string[]) => ({ capabilities: { add: names } });
const port = (...ports: readonly number[]) => ports.map((hostPort) => ({ hostPort }));

describe('the baseline', () => {
  const rows: readonly Row[] = [
    [
      'profiles of AppArmor that are fine',
      'forbidden AppArmor profile',
      annotated({ [`${APP_ARMOR}a`]: 'runtime/default', [`${APP_ARMOR}b`]: 'localhost/x', env: 'x' }),
      undefined,
    ],
    [
      'the default profile of a pod',
      'forbidden AppArmor profile',
      { spec: { securityContext: armor('RuntimeDefault') } },
      undefined,
    ],
    [
      'a profile of the node',
      'forbidden AppArmor profile',
      { spec: { containers: named({ a: armor('Localhost') }) } },
      undefined,
    ],
    [
      'a pod without a profile',
      'forbidden AppArmor profile',
      { spec: { securityContext: armor('Unconfined') } },
      'pod must not set AppArmor profile type to "Unconfined"',
    ],
    [
      'a container without one',
      'forbidden AppArmor profile',
      { spec: { securityContext: armor('RuntimeDefault'), containers: named({ foo: armor('Unconfined') }) } },
      'container "foo" must not set AppArmor profile type to "Unconfined"',
    ],
    [
      'an init container without one',
      'forbidden AppArmor profile',
      { spec: { containers: named({ foo: undefined }), initContainers: named({ bar: armor('Unconfined') }) } },
      'container "bar" must not set AppArmor profile type to "Unconfined"',
    ],
    [
      'annotations of AppArmor',
      'forbidden AppArmor profiles',
      annotated(
        Object.fromEntries(
          [
            ['', 'bogus'],
            ['a', ''],
            ['b', 'runtime/default'],
            ['c', 'localhost/'],
            ['d', 'localhost/foo'],
            ['e', 'unconfined'],
            ['f', 'unknown'],
          ].map(([name, value]) => [APP_ARMOR + name, value ?? '']),
        ),
      ),
      `annotations must not set AppArmor profile type to "${APP_ARMOR}="bogus"", "${APP_ARMOR}e="unconfined"", "${APP_ARMOR}f="unknown""`,
    ],
    [
      'fields and an annotation',
      'forbidden AppArmor profiles',
      {
        ...annotated({ [`${APP_ARMOR}a`]: 'unconfined' }),
        spec: { securityContext: armor('Unconfined'), containers: named({ a: armor('Foo') }) },
      },
      `pod and container "a" and annotation must not set AppArmor profile type to "Foo", "Unconfined", "${APP_ARMOR}a="unconfined""`,
    ],
    [
      'capabilities',
      'non-default capabilities',
      {
        spec: {
          containers: named({ a: add('FOO', 'BAR'), b: add('KILL'), c: add('BAZ', 'BAR'), d: { capabilities: {} } }),
        },
      },
      'containers "a", "c" must not include "BAR", "BAZ", "FOO" in securityContext.capabilities.add',
    ],
    [
      'namespaces of the node',
      'host namespaces',
      { spec: { hostIPC: true, hostPID: true, hostNetwork: true } },
      'hostNetwork=true, hostPID=true, hostIPC=true',
    ],
    [
      'folders of the node',
      'hostPath volumes',
      {
        spec: {
          volumes: [
            { name: 'a', hostPath: {} },
            { name: 'b', emptyDir: {} },
            { name: 'c', hostPath: {} },
          ],
        },
      },
      'volumes "a", "c"',
    ],
    [
      'ports of the node, in the order of texts',
      'hostPort',
      {
        spec: {
          containers: [
            { name: 'a', ports: port(0) },
            { name: 'b', ports: port(0, 20, 100) },
            { name: 'c', ports: port(30, 20) },
          ],
        },
      },
      'containers "b", "c" use hostPorts 100, 20, 30',
    ],
    [
      'one port of the node',
      'hostPort',
      { spec: { initContainers: [{ name: 'b', ports: port(20) }] } },
      'container "b" uses hostPort 20',
    ],
    [
      'privileges',
      'privileged',
      {
        spec: {
          containers: named({ a: undefined, b: { privileged: false }, c: { privileged: true } }),
          ephemeralContainers: named({ d: { privileged: true } }),
        },
      },
      'containers "c", "d" must not set securityContext.privileged=true',
    ],
    [
      'the order of containers',
      'privileged',
      {
        spec: {
          containers: named({ b: { privileged: true } }),
          initContainers: named({ c: { privileged: true } }),
          ephemeralContainers: named({ a: { privileged: true } }),
        },
      },
      'containers "c", "b", "a" must not set securityContext.privileged=true',
    ],
    [
      'mounts of /proc',
      'procMount',
      {
        spec: {
          containers: named({
            a: {},
            b: { procMount: 'Default' },
            c: { procMount: 'Unmasked' },
            d: { procMount: 'other' },
          }),
        },
      },
      'containers "c", "d" must not set securityContext.procMount to "Unmasked", "other"',
    ],
    [
      'SELinux of pod and containers',
      'seLinuxOptions',
      { spec: { securityContext: ALL_THREE, containers: named({ ...LINUX_TYPES, ...ONE_EACH }) } },
      'pod and containers "d", "e", "f" set forbidden securityContext.seLinuxOptions: types "bar", "foo"; user may not be set; role may not be set',
    ],
    [
      'SELinux of a pod',
      'seLinuxOptions',
      { spec: { securityContext: ALL_THREE, containers: named(LINUX_TYPES) } },
      'pod set forbidden securityContext.seLinuxOptions: type "foo"; user may not be set; role may not be set',
    ],
    [
      'SELinux of containers',
      'seLinuxOptions',
      { spec: { securityContext: linux({}), containers: named({ ...LINUX_TYPES, ...ONE_EACH }) } },
      'containers "d", "e", "f" set forbidden securityContext.seLinuxOptions: type "bar"; user may not be set; role may not be set',
    ],
    [
      'a user of SELinux alone',
      'seLinuxOptions',
      { spec: { securityContext: linux({ user: 'bad' }) } },
      'pod set forbidden securityContext.seLinuxOptions: user may not be set',
    ],
    [
      'a role of SELinux alone',
      'seLinuxOptions',
      { spec: { securityContext: linux({ role: 'bad' }) } },
      'pod set forbidden securityContext.seLinuxOptions: role may not be set',
    ],
    [
      'engines in containers before there was a type for them',
      'seLinuxOptions',
      { spec: { securityContext: linux({ type: 'container_engine_t' }) } },
      'pod set forbidden securityContext.seLinuxOptions: type "container_engine_t"',
      30,
    ],
    [
      'engines in containers since then',
      'seLinuxOptions',
      { spec: { securityContext: linux({ type: 'container_engine_t' }) } },
      undefined,
      31,
    ],
    [
      'an annotation of seccomp',
      'seccompProfile',
      annotated({ [SECCOMP_POD]: 'unconfined' }),
      `forbidden annotation ${SECCOMP_POD}="unconfined"`,
      18,
    ],
    [
      'annotations of seccomp',
      'seccompProfile',
      annotated(
        {
          [SECCOMP_POD]: 'unconfined',
          [`${SECCOMP}a`]: 'unconfined',
          [`${SECCOMP}b`]: 'unknown',
          [`${SECCOMP}z`]: 'unknown',
        },
        { containers: named({ a: undefined, b: undefined, c: undefined }) },
      ),
      `forbidden annotations ${SECCOMP}a="unconfined", ${SECCOMP}b="unknown", ${SECCOMP_POD}="unconfined"`,
      0,
    ],
    [
      'annotations of seccomp that are fine',
      'seccompProfile',
      annotated(
        { [SECCOMP_POD]: 'docker/default', [`${SECCOMP}a`]: 'runtime/default', [`${SECCOMP}b`]: 'localhost/x' },
        { containers: named({ a: undefined, b: undefined }) },
      ),
      undefined,
      18,
    ],
    [
      'annotations of seccomp since there are fields',
      'seccompProfile',
      annotated({ [SECCOMP_POD]: 'unconfined' }),
      undefined,
      19,
    ],
    [
      'seccomp of a pod',
      'seccompProfile',
      { spec: { securityContext: seccomp('Unconfined'), containers: named({ a: undefined }) } },
      'pod must not set securityContext.seccompProfile.type to "Unconfined"',
      19,
    ],
    [
      'seccomp of containers',
      'seccompProfile',
      { spec: { securityContext: seccomp('RuntimeDefault'), containers: SECCOMP_CONTAINERS } },
      'containers "c", "d" must not set securityContext.seccompProfile.type to "Unconfined"',
      19,
    ],
    [
      'seccomp of both',
      'seccompProfile',
      { spec: { securityContext: seccomp('Unconfined'), containers: SECCOMP_CONTAINERS } },
      'pod and containers "c", "d" must not set securityContext.seccompProfile.type to "Unconfined"',
    ],
    [
      'sysctls',
      'forbidden sysctls',
      { spec: { securityContext: { sysctls: ['a', 'kernel.shm_rmid_forced', 'b', 'a'].map((name) => ({ name })) } } },
      'a, b, a',
    ],
    [
      'a sysctl before it was safe',
      'forbidden sysctls',
      { spec: { securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_reserved_ports' }] } } },
      'net.ipv4.ip_local_reserved_ports',
      26,
    ],
    [
      'a sysctl since it is safe',
      'forbidden sysctls',
      { spec: { securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_reserved_ports' }] } } },
      undefined,
      27,
    ],
    [
      'times of TCP before they were safe',
      'forbidden sysctls',
      {
        spec: {
          securityContext: { sysctls: [{ name: 'net.ipv4.tcp_keepalive_time' }, { name: 'net.ipv4.tcp_fin_timeout' }] },
        },
      },
      'net.ipv4.tcp_keepalive_time, net.ipv4.tcp_fin_timeout',
      28,
    ],
    [
      'times of TCP since they are safe',
      'forbidden sysctls',
      {
        spec: {
          securityContext: {
            sysctls: ['time', 'intvl', 'probes'].map((what) => ({ name: `net.ipv4.tcp_keepalive_${what}` })),
          },
        },
      },
      undefined,
      29,
    ],
    [
      'buffers of TCP, which a later release allows',
      'forbidden sysctls',
      { spec: { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } } },
      'net.ipv4.tcp_rmem',
      40,
    ],
    [
      'processes of the node',
      'hostProcess',
      {
        spec: {
          securityContext: process(true),
          containers: named({
            a: undefined,
            b: {},
            c: { windowsOptions: {} },
            d: process(false),
            e: process(true),
            f: process(true),
          }),
        },
      },
      'pod and containers "e", "f" must not set securityContext.windowsOptions.hostProcess=true',
    ],
  ];
  for (const [about, check, pod, detail, since] of rows)
    it(about, () =>
      expect(said(pod, check, 'baseline', since)).toBe(detail === undefined ? undefined : `${check} (${detail})`),
    );
});
