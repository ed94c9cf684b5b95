import type { Host } from '../../meta/host.js';
import { baselineChecks } from './baseline.js';
import type { Check, SecuredPod, Violation } from './check.js';
import type { LevelVersion } from './level.js';
import { restrictedChecks } from './restricted.js';

/** Returns the rules of a level in one release. */
function checksOf(level: LevelVersion['level'], release: number): readonly Check[] {
  if (level === 'privileged') return [];
  const inForce = (checks: readonly Check[]) => checks.filter(({ since = 0 }) => since <= release);
  const baseline = inForce(baselineChecks);
  if (level === 'baseline') return baseline;
  const restricted = inForce(restrictedChecks);
  const replaced = new Set(restricted.map(({ replaces }) => replaces));
  return [...baseline.filter(({ name }) => !replaced.has(name)), ...restricted];
}

/** Returns all violations of a level by a pod. */
export function violationsOf(
  pod: SecuredPod,
  { level, version }: LevelVersion,
  { dialect, gates }: Pick<Host, 'dialect' | 'gates'>,
): readonly Violation[] {
  const release = version === 'latest' ? Number.POSITIVE_INFINITY : version;
  const hasUserNamespace = gates.UserNamespacesPodSecurityStandards && pod.spec.hostUsers === false;
  return checksOf(level, release)
    .filter(({ notInUserNamespace }) => !(hasUserNamespace && notInUserNamespace))
    .flatMap((check) => check.find(pod, release, dialect) ?? []);
}

export const describeViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
export const nameViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
