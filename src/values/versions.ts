const MATURITY: ReadonlyMap<string, number> = new Map([
  ['alpha', 0],
  ['beta', 1],
  ['', 2],
]);

/** Parses a version name such as `v2` or `v1beta3`; returns undefined for any other string. */
export function parseKubeVersion(version: string) {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const [, major = '', stage = '', minor = '0'] = match;
  // Numbers that do not fit 64 bits are not version numbers.
  if (major.length > 18 || minor.length > 18) return undefined;
  return { major: BigInt(major), maturity: MATURITY.get(stage) ?? 0, minor: BigInt(minor) };
}

/**
 * Compares version names for `sort`, the preferred one first: `v10`, `v2`, `v1`, `v11beta2`, `v10beta3`, `v3alpha1`, then all other names
 * alphabetically (spec 10.4).
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = parseKubeVersion(a);
  const right = parseKubeVersion(b);
  if (left === undefined || right === undefined) {
    if (left === right) return a < b ? -1 : 1;
    return left === undefined ? 1 : -1;
  }
  if (left.maturity !== right.maturity) return right.maturity - left.maturity;
  return Number(right.major - left.major) || Number(right.minor - left.minor);
}

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([^+]*))?(?:\+(.*))?$/;

const isWord = (word: string): boolean => /^[\da-zA-Z-]+$/.test(word);
const isWordOrNumber = (word: string): boolean => isWord(word) && !/^0\d+$/.test(word);

/** Returns the parts of a semantic version, with the parts of its pre-release last; undefined when the string is not a semantic version. */
export function readSemanticVersion(version: string): readonly string[] | undefined {
  const [match, major = '', minor = '', patch = '', pre, build] = VERSION.exec(version) ?? [];
  if (match === undefined) return undefined;
  const before = pre?.split('.') ?? [];
  if (!before.every(isWordOrNumber) || build?.split('.').every(isWord) === false) return undefined;
  return [major, minor, patch, ...before];
}
