import { describe, expect, it } from 'vitest';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import type { SecuredPod } from '../../../src/plugins/pod-security/check.js';
import type { Level } from '../../../src/plugins/pod-security/level.js';
import { violationsOf } from '../../../src/plugins/pod-security/pod-security.js';
import { annotated, HOST, named, type Row, SECCOMP_CONTAINERS, SECCOMP_POD, said, seccomp } from './violation.js';

const nonRoot = (runAsNonRoot: boolean) => ({ runAsNonRoot });
const user = (runAsUser: number) => ({ runAsUser });
const add = (...names: readonly string[]) => ({ capabilities: { add: names } });

describe('the restricted level', () => {
  const windows = { os: { name: 'windows' } };
  const ESCALATION = 'allowPrivilegeEscalation != false';
  const NON_ROOT = 'runAsNonRoot != true';
  const asked = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';

  const rows: readonly Row[] = [
    [
      'privileges that could grow',
      ESCALATION,
      {
        spec: {
          containers: named({
            a: undefined,
            b: {},
            c: { allowPrivilegeEscalation: true },
            d: { allowPrivilegeEscalation: false },
          }),
        },
      },
      'containers "a", "b", "c" must set securityContext.allowPrivilegeEscalation=false',
      8,
    ],
    [
      'privileges before they could be held',
      ESCALATION,
      { spec: { containers: named({ a: undefined }) } },
      undefined,
      7,
    ],
    [
      'privileges on Windows, asked of all once',
      ESCALATION,
      { spec: { ...windows, containers: named({ a: undefined }) } },
      'container "a" must set securityContext.allowPrivilegeEscalation=false',
      24,
    ],
    ['privileges on Windows', ESCALATION, { spec: { ...windows, containers: named({ a: undefined }) } }, undefined, 25],
    [
      'privileges on Linux by name',
      ESCALATION,
      { spec: { os: { name: 'linux' }, containers: named({ a: undefined }) } },
      'container "a" must set securityContext.allowPrivilegeEscalation=false',
      25,
    ],
    [
      'capabilities',
      'unrestricted capabilities',
      {
        spec: {
          containers: named({
            a: add('FOO', 'BAR'),
            b: { capabilities: { add: ['BAR', 'NET_BIND_SERVICE'], drop: ['ALL'] } },
            c: undefined,
            d: { capabilities: { drop: ['ALL'] } },
          }),
        },
      },
      'containers "a", "c" must set securityContext.capabilities.drop=["ALL"]; containers "a", "b" must not include "BAR", "FOO" in securityContext.capabilities.add',
      22,
    ],
    [
      'capabilities before they were looked at',
      'unrestricted capabilities',
      { spec: { containers: named({ a: undefined }) } },
      undefined,
      21,
    ],
    [
      'capabilities on Windows',
      'unrestricted capabilities',
      { spec: { ...windows, containers: named({ a: add('FOO') }) } },
      undefined,
    ],
    [
      'capabilities on Windows of the baseline, which this check takes the place of',
      'non-default capabilities',
      { spec: { ...windows, containers: named({ a: add('FOO') }) } },
      undefined,
    ],
    [
      'capabilities of the baseline, where there is no other check',
      'non-default capabilities',
      { spec: { containers: named({ a: add('FOO') }) } },
      'container "a" must not include "FOO" in securityContext.capabilities.add',
      21,
    ],
    [
      'sorts of volumes',
      'restricted volume types',
      {
        spec: {
          volumes: [
            { name: 'a', nfs: {} },
            { name: 'b', hostPath: {} },
            { name: 'c', secret: {} },
            { name: 'd', nfs: {} },
            { name: 'e', csi: {} },
          ],
        },
      },
      'volumes "a", "b", "d" use restricted volume types "hostPath", "nfs"',
      0,
    ],
    [
      'one sort of volume',
      'restricted volume types',
      { spec: { volumes: [{ name: 'a', gitRepo: {} }] } },
      'volume "a" uses restricted volume type "gitRepo"',
    ],
    [
      'a sort of volume that the levels do not name',
      'restricted volume types',
      { spec: { volumes: [{ name: 'a', image: { reference: 'r' } }] } },
      'volume "a" uses restricted volume type "unknown"',
    ],
    [
      'nobody who says that it is not root',
      NON_ROOT,
      { spec: { containers: named({ a: undefined }) } },
      'pod or container "a" must set securityContext.runAsNonRoot=true',
    ],
    [
      'a pod that may be root',
      NON_ROOT,
      { spec: { securityContext: nonRoot(false), containers: named({ a: undefined }) } },
      'pod must not set securityContext.runAsNonRoot=false',
    ],
    [
      'containers that may be root',
      NON_ROOT,
      {
        spec: {
          securityContext: nonRoot(true),
          containers: named({ a: undefined, b: {}, c: nonRoot(false), d: nonRoot(false), e: nonRoot(true) }),
        },
      },
      'containers "c", "d" must not set securityContext.runAsNonRoot=false',
    ],
    [
      'containers that leave it to the pod',
      NON_ROOT,
      { spec: { containers: named({ a: undefined, b: {}, d: nonRoot(true) }) } },
      'pod or containers "a", "b" must set securityContext.runAsNonRoot=true',
    ],
    [
      'root by number',
      'runAsUser=0',
      {
        spec: {
          securityContext: user(0),
          containers: named({ a: undefined, b: {}, c: user(0), d: user(0), e: user(1) }),
        },
      },
      'pod and containers "c", "d" must not set runAsUser=0',
      23,
    ],
    [
      'root by number in one container',
      'runAsUser=0',
      { spec: { securityContext: user(1000), containers: named({ c: user(0) }) } },
      'container "c" must not set runAsUser=0',
      23,
    ],
    ['root by number before it was looked at', 'runAsUser=0', { spec: { securityContext: user(0) } }, undefined, 22],
    [
      'no profile of seccomp',
      'seccompProfile',
      { spec: { containers: named({ a: undefined }) } },
      `pod or container "a" ${asked}`,
      19,
    ],
    [
      'no profile of seccomp on Windows',
      'seccompProfile',
      { spec: { ...windows, containers: named({ a: undefined }) } },
      undefined,
      25,
    ],
    [
      'no profile of seccomp on Windows, asked of all once',
      'seccompProfile',
      { spec: { ...windows, containers: named({ a: undefined }) } },
      `pod or container "a" ${asked}`,
      24,
    ],
    [
      'no profile of seccomp before there were fields',
      'seccompProfile',
      { spec: { containers: named({ a: undefined }) } },
      undefined,
      18,
    ],
    [
      'annotations of seccomp before there were fields',
      'seccompProfile',
      annotated({ [SECCOMP_POD]: 'unconfined' }),
      `forbidden annotation ${SECCOMP_POD}="unconfined"`,
      18,
    ],
    [
      'a pod without seccomp',
      'seccompProfile',
      { spec: { securityContext: seccomp('Unconfined'), containers: named({ a: undefined }) } },
      'pod must not set securityContext.seccompProfile.type to "Unconfined"',
    ],
    [
      'containers without seccomp',
      'seccompProfile',
      { spec: { securityContext: seccomp('RuntimeDefault'), containers: SECCOMP_CONTAINERS } },
      'containers "c", "d" must not set securityContext.seccompProfile.type to "Unconfined"',
    ],
    [
      'containers that leave seccomp to the pod',
      'seccompProfile',
      { spec: { containers: named({ a: undefined, b: {}, d: seccomp('RuntimeDefault') }) } },
      `pod or containers "a", "b" ${asked}`,
    ],
  ];
  for (const [about, check, pod, detail, since] of rows)
    it(about, () =>
      expect(said(pod, check, 'restricted', since)).toBe(detail === undefined ? undefined : `${check} (${detail})`),
    );

  it('requires less of a pod with user namespaces if the gate is on', () => {
    const on = { ...HOST, gates: featureGates({ UserNamespacesPodSecurityStandards: true }) };
    const context = { runAsNonRoot: false, runAsUser: 0, procMount: 'Unmasked', privileged: true };
    const found = (host: typeof HOST, level: Level, spec: object) =>
      violationsOf(
        { spec: { containers: named({ a: context }), ...spec } } as SecuredPod,
        { level, version: 'latest' },
        host,
      )
        .map(({ reason }) => reason)
        .filter((reason) => ['privileged', 'procMount', 'runAsUser=0', NON_ROOT].includes(reason));
    const all = ['privileged', 'procMount', NON_ROOT, 'runAsUser=0'];
    expect(found(on, 'restricted', { hostUsers: false })).toEqual(['privileged']);
    expect(found(on, 'baseline', { hostUsers: false })).toEqual(['privileged']);
    for (const spec of [{}, { hostUsers: true }]) expect(found(on, 'restricted', spec)).toEqual(all);
    expect(found(HOST, 'restricted', { hostUsers: false })).toEqual(all);
  });

  it('reports the checks of the baseline first, sorted by name', () => {
    const spec = {
      hostPID: true,
      containers: named({ a: { privileged: true } }),
      volumes: [{ name: 'v', hostPath: { path: '/' } }],
    };
    expect(
      violationsOf({ spec } as SecuredPod, { level: 'restricted', version: 'latest' }, HOST).map(
        ({ reason }) => reason,
      ),
    ).toEqual([
      'host namespaces',
      'privileged',
      ESCALATION,
      'unrestricted capabilities',
      'restricted volume types',
      NON_ROOT,
      'seccompProfile',
    ]);
  });
});
