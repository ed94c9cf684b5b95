import { BOOL, INT, opaque, STRING, type Type } from '../typing/type.js';
import { byPackage } from '../typing/type-package.js';
import { toInt64 } from '../values/numbers.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../values/value.js';
import { global, libraryOf, member } from './declare.js';
import type { Library } from './library.js';

interface Version {
  /** The major, minor and patch numbers. */
  readonly numbers: readonly bigint[];
  /** The identifiers after `-`; numeric ones are numbers. */
  readonly prerelease: readonly (string | bigint)[];
}

class VersionValue extends ObjectValue {
  readonly version: Version;
  readonly type: Type;
  constructor(version: Version, type: Type) {
    super();
    this.version = version;
    this.type = type;
  }
  equals(other: Value): boolean | undefined {
    return other instanceof VersionValue ? compareTo(this, other) === 0 : undefined;
  }
}

/** The parts of a version: the numbers, the prerelease after `-` and the build after `+`. Comparisons ignore the build. */
const PARTS = /^([^.]*)\.([^.]*)\.([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s;
const MOST = 2n ** 64n - 1n;

const quoteText = (text: string): string => JSON.stringify(text);
const isAlphanumeric = (text: string): boolean => /^[A-Za-z0-9-]*$/.test(text);

/** Parses a strict version (semver.org 2.0.0). @throws RangeError with the reason. */
function parseVersion(text: string): Version {
  if (text === '') throw new RangeError('Version string empty');
  const parts = PARTS.exec(text);
  if (parts === null) throw new RangeError('No Major.Minor.Patch elements found');
  const [, major = '', minor = '', patch = '', prerelease, build] = parts;
  const numbers = [number(major, 'Major'), number(minor, 'Minor'), number(patch, 'Patch')];
  const tail = prerelease?.split('.').map(prereleaseOf) ?? [];
  for (const part of build?.split('.') ?? []) {
    if (part === '') throw new RangeError('Build meta data is empty');
    if (!isAlphanumeric(part)) throw new RangeError(`Invalid character(s) found in build meta data ${quoteText(part)}`);
  }
  return { numbers, prerelease: tail };
}

function number(text: string, name: string): bigint {
  if (!/^\d*$/.test(text)) {
    throw new RangeError(`Invalid character(s) found in ${name.toLowerCase()} number ${quoteText(text)}`);
  }
  if (/^0./.test(text)) throw new RangeError(`${name} number must not contain leading zeroes ${quoteText(text)}`);
  return parseUint(text);
}

function parseUint(text: string): bigint {
  if (text === '') throw new RangeError('strconv.ParseUint: parsing "": invalid syntax');
  const value = text.length > 20 ? MOST + 1n : BigInt(text);
  if (value > MOST) throw new RangeError(`strconv.ParseUint: parsing ${quoteText(text)}: value out of range`);
  return value;
}

function prereleaseOf(text: string): string | bigint {
  if (text === '') throw new RangeError('Prerelease is empty');
  if (!isAlphanumeric(text)) throw new RangeError(`Invalid character(s) found in prerelease ${quoteText(text)}`);
  if (!/^\d+$/.test(text)) return text;
  if (/^0./.test(text)) {
    throw new RangeError(`Numeric PreRelease version must not contain leading zeroes ${quoteText(text)}`);
  }
  return parseUint(text);
}

function parse(text: string, type: Type): Outcome {
  try {
    return new VersionValue(parseVersion(text), type);
  } catch (error) {
    if (error instanceof RangeError) return new EvaluationError(error.message);
    throw error;
  }
}

const order = (a: bigint | string, b: bigint | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares two versions. One with a prerelease precedes one without, and numeric identifiers precede words. */
function compareTo({ version: a }: VersionValue, { version: b }: VersionValue): number {
  for (const [i, own] of a.numbers.entries()) {
    const decided = order(own, b.numbers[i] as bigint);
    if (decided !== 0) return decided;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [i, own] of a.prerelease.entries()) {
    const other = b.prerelease[i];
    if (other === undefined) return 1;
    const decided = typeof own === typeof other ? order(own, other) : typeof own === 'bigint' ? -1 : 1;
    if (decided !== 0) return decided;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Returns the library of semantic versions: `semver('1.2.3')`. In Kubernetes 1.31, only device selectors can use it. */
export const semversIn = byPackage((typePackage): Library => {
  const type = opaque(`${typePackage}.Semver`);
  const two = [type, type];
  const part = (name: string, index: number) =>
    member(
      name,
      `semver_${name}`,
      [type],
      INT,
      ({ version }: VersionValue) =>
        toInt64(version.numbers[index] as bigint) ?? new EvaluationError('integer overflow'),
    );
  return libraryOf(
    () => [
      global('semver', 'string_to_semver', [STRING], type, (text: string) => parse(text, type)),
      global(
        'isSemver',
        'is_semver_string',
        [STRING],
        BOOL,
        (text: string) => !(parse(text, type) instanceof EvaluationError),
      ),
      member('isGreaterThan', 'semver_is_greater_than', two, BOOL, (a, b) => compareTo(a, b) > 0),
      member('isLessThan', 'semver_is_less_than', two, BOOL, (a, b) => compareTo(a, b) < 0),
      member('compareTo', 'semver_compare_to', two, INT, compareTo),
      part('major', 0),
      part('minor', 1),
      part('patch', 2),
    ],
    { name: 'semver' },
  );
});
/** The library of semantic versions with upstream's package of types. */
export const semvers: Library = semversIn();
