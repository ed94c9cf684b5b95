/** Options that decide which metrics of a server are recorded and exposed. */
export interface MetricsOptions {
  /**
   * The previous release, such as `1.30`. If it is given, families that are hidden because they are deprecated are exposed. Default: none.
   */
  readonly showHiddenForVersion?: string;
  /** The names of families that are not recorded. Default: none. */
  readonly disabled?: readonly string[];
  /** The allowed values of labels, by `family,label`; other values are counted as `unexpected`. Default: all values. */
  readonly allowedLabels?: Readonly<Record<string, readonly string[]>>;
}

const MEMBERS: readonly string[] = ['showHiddenForVersion', 'disabled', 'allowedLabels'];
const FAMILY_AND_LABEL = /^[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Returns the error of the option `metrics`, without the option's name (`must be true, false or an object`); undefined if the options are
 * valid.
 */
export function problemOfMetricsOptions(
  options: unknown,
  release: { readonly major: string; readonly minor: string },
): string | undefined {
  if (typeof options !== 'object' || options === null) return 'must be true, false or an object';
  const unknown = Object.keys(options).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `has no member ${unknown}`;
  // The rest of the function validates each member, so the cast is safe.
  const { showHiddenForVersion, disabled = [], allowedLabels = {} } = options as MetricsOptions;
  const before = `${release.major}.${Number(release.minor) - 1}`;
  if (showHiddenForVersion !== undefined && showHiddenForVersion !== before)
    return `showHiddenForVersion must be '${before}', the release before this one`;
  if (!isTexts(disabled)) return 'disabled must be a list of names';
  if (typeof allowedLabels !== 'object' || allowedLabels === null || Array.isArray(allowedLabels))
    return "allowedLabels must be an object, { 'family,label': ['value'] }";
  for (const [key, values] of Object.entries(allowedLabels)) {
    if (!isFamilyAndLabel(key)) return `allowedLabels must name a family and a label, family,label, not ${key}`;
    if (!isTexts(values)) return `allowedLabels of ${key} must be a list of texts`;
  }
  return undefined;
}

/** Returns whether a string has the form `family,label`. */
export const isFamilyAndLabel = (text: string): boolean => FAMILY_AND_LABEL.test(text);

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each: unknown) => typeof each === 'string');
