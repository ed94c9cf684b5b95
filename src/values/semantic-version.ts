const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([^+]*))?(?:\+(.*))?$/;

const isWord = (word: string): boolean => /^[\da-zA-Z-]+$/.test(word);
const isWordOrNumber = (word: string): boolean => isWord(word) && !/^0\d+$/.test(word);

/** Returns the parts of a semantic version, those of its pre-release last; undefined when the text is not a semantic version. */
export function readSemanticVersion(version: string): readonly string[] | undefined {
  const [match, major = '', minor = '', patch = '', pre, build] = VERSION.exec(version) ?? [];
  if (match === undefined) return undefined;
  const before = pre?.split('.') ?? [];
  if (!before.every(isWordOrNumber) || build?.split('.').every(isWord) === false) return undefined;
  return [major, minor, patch, ...before];
}
