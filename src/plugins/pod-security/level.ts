import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';

const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
/** A level of the Pod Security Standards. */
export type Level = (typeof LEVELS)[number];

/** A level as defined in one release. The version is the number after `v1.`, or `latest`. */
export interface LevelVersion {
  /** The level of the Pod Security Standards. */
  readonly level: Level;
  /** The minor version of the standard, such as 31 for v1.31, or the latest one. */
  readonly version: number | 'latest';
}

/** The three modes in which a level is applied. */
const MODES = ['enforce', 'audit', 'warn'] as const;
/** A mode in which a level is applied. */
export type Mode = (typeof MODES)[number];
/** The level for each mode: `enforce` refuses pods, `audit` annotates audit events, and `warn` sends warnings. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

export const PRIVILEGED: LevelVersion = { level: 'privileged', version: 'latest' };

/** Formats a level for messages: `baseline:v1.24`. */
export const formatLevel = ({ level, version }: LevelVersion): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

/** Returns whether the first level is at most as strict as the second. */
export const isAtMost = (a: Level, b: Level): boolean => LEVELS.indexOf(a) <= LEVELS.indexOf(b);

const VERSION = /^v1\.(0|[1-9]\d{0,8})$/;

interface Read {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

/**
 * Reads the policy from the labels of a namespace:
 * - An invalid level counts as restricted for `enforce`, and as privileged for `audit` and `warn`.
 * - An invalid version counts as the latest.
 * - Without a label, `audit` and `warn` are at least as strict as a valid `enforce` label.
 */
export function readPolicy(labels: Readonly<Record<string, string>>, defaults: Policy, dialect: Dialect): Read {
  const errors: FieldError[] = [];
  const read = (mode: Mode): { readonly isLabeled: boolean; readonly value: LevelVersion } => {
    const label = `pod-security.${dialect.labelDomain}/${mode}`;
    const [level, version] = [labels[label], labels[`${label}-version`]];
    const refuse = (name: string, value: string, why: string) =>
      errors.push(fieldError.invalid(`metadata.labels[${name}]`, value, why));
    if (level !== undefined && !isLevel(level)) refuse(label, level, NO_LEVEL);
    const number = version === undefined ? defaults[mode].version : readLevelVersion(version);
    if (number === undefined) refuse(`${label}-version`, version ?? '', NO_VERSION);
    const otherwise = mode === 'enforce' ? 'restricted' : 'privileged';
    const known = level === undefined ? defaults[mode].level : isLevel(level) ? level : otherwise;
    return { isLabeled: level !== undefined, value: { level: known, version: number ?? 'latest' } };
  };
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  const isEnforced = enforce.isLabeled && isLevel(labels[`pod-security.${dialect.labelDomain}/enforce`] ?? '');
  const atLeast = ({ isLabeled, value }: typeof audit): LevelVersion =>
    isLabeled || !isEnforced || isAtMost(enforce.value.level, value.level) ? value : enforce.value;
  return { policy: { enforce: enforce.value, audit: atLeast(audit), warn: atLeast(warn) }, errors };
}

/** The error messages for an invalid level and for an invalid version. */
export const NO_LEVEL = `must be one of ${LEVELS.join(', ')}`;
export const NO_VERSION = 'must be "latest" or "v1.x"';

export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

/** Parses the version of a level; returns undefined for a string that is not a version. */
export function readLevelVersion(text: string): number | 'latest' | undefined {
  if (text === 'latest') return text;
  const match = VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}
