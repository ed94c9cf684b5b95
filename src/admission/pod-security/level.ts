import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';

const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** A level as it was in one release: the number after `v1.`, or the newest. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

/** The three ways a level is held to. */
const MODES = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof MODES)[number];
export type Policy = Readonly<Record<Mode, LevelVersion>>;

export const PRIVILEGED: LevelVersion = { level: 'privileged', version: 'latest' };

/** `baseline:v1.24`, as messages have it. */
export const formatLevel = ({ level, version }: LevelVersion): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

/** Whether the first was made no stricter than the second, whatever the pod. */
export const isAtMost = (a: Level, b: Level): boolean => LEVELS.indexOf(a) <= LEVELS.indexOf(b);

const VERSION = /^v1\.(0|[1-9]\d{0,8})$/;

interface Read {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

/**
 * What the labels of a namespace ask for. What is not a level means restricted where it is to be enforced, what is not a version the
 * newest: who cannot be understood is taken to want more. Elsewhere what is not a level means nothing. Where only the enforced level is
 * named, warnings and audit are as strict.
 */
export function readPolicy(labels: Readonly<Record<string, string>>, defaults: Policy, dialect: Dialect): Read {
  const errors: FieldError[] = [];
  const read = (mode: Mode): { readonly asked: boolean; readonly value: LevelVersion } => {
    const label = `pod-security.${dialect.labelDomain}/${mode}`;
    const [level, version] = [labels[label], labels[`${label}-version`]];
    const refuse = (name: string, value: string, why: string) =>
      errors.push(fieldError.invalid(`metadata.labels[${name}]`, value, why));
    if (level !== undefined && !isLevel(level)) refuse(label, level, NO_LEVEL);
    const number = version === undefined ? defaults[mode].version : readLevelVersion(version);
    if (number === undefined) refuse(`${label}-version`, version ?? '', NO_VERSION);
    const otherwise = mode === 'enforce' ? 'restricted' : 'privileged';
    const known = level === undefined ? defaults[mode].level : isLevel(level) ? level : otherwise;
    return { asked: level !== undefined, value: { level: known, version: number ?? 'latest' } };
  };
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  const isEnforced = enforce.asked && isLevel(labels[`pod-security.${dialect.labelDomain}/enforce`] ?? '');
  const atLeast = ({ asked, value }: typeof audit): LevelVersion =>
    asked || !isEnforced || isAtMost(enforce.value.level, value.level) ? value : enforce.value;
  return { policy: { enforce: enforce.value, audit: atLeast(audit), warn: atLeast(warn) }, errors };
}

/** Why a text is not a level, and why it is not the version of one. */
export const NO_LEVEL = `must be one of ${LEVELS.join(', ')}`;
export const NO_VERSION = 'must be "latest" or "v1.x"';

export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

/** The version of a level; undefined for what is not one. */
export function readLevelVersion(text: string): number | 'latest' | undefined {
  if (text === 'latest') return text;
  const match = VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}
