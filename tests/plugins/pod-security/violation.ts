import { k8s } from '../../../src/meta/dialect.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import type { SecuredPod } from '../../../src/plugins/pod-security/check.js';
import type { Level } from '../../../src/plugins/pod-security/level.js';
import { describeViolations, violationsOf } from '../../../src/plugins/pod-security/pod-security.js';

export const HOST = { dialect: k8s, gates: featureGates() };

/** Returns the violations that one check reports about a pod; undefined if there are none. Other checks may report some. */
export function said(
  pod: object,
  check: string,
  level: Level,
  version: number | 'latest' = 'latest',
): string | undefined {
  const found = violationsOf(pod as SecuredPod, { level, version }, HOST); // The object has the type that is checked.
  const violation = found.find(({ reason }) => reason === check);
  return violation && describeViolations([violation]);
}

/** A pod, and what a check reports about it, by the rules of a minor version. Default: the latest rules. */
export type Row = readonly [about: string, check: string, pod: object, detail: string | undefined, version?: number];

/** Returns containers by name, each with a security context unless it is undefined. */
export const named = (containers: Readonly<Record<string, object | undefined>>): readonly object[] =>
  Object.entries(containers).map(([name, securityContext]) => ({ name, ...(securityContext && { securityContext }) }));

export const annotated = (annotations: Readonly<Record<string, string>>, spec: object = {}) => ({
  metadata: { annotations },
  spec,
});

export const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccomp = (type: string) => ({ seccompProfile: { type } });
export const SECCOMP_CONTAINERS = named({
  a: undefined,
  b: {},
  c: seccomp('Unconfined'),
  d: seccomp('Unconfined'),
  e: seccomp('RuntimeDefault'),
  f: seccomp('Localhost'),
});
