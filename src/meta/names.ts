import { isLongerThan } from '../values/utf8.js';

/** Returns the errors of a value, one message for each violated rule; the list is empty when the value is valid (spec 2.8). */
export type Validator = (value: string) => readonly string[];

/** Validates the name of an object. With `prefix`, it validates the generateName instead, to which random characters are appended. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

const VALID: readonly string[] = Object.freeze([]);

interface Pattern {
  readonly regex: RegExp;
  /** The message for a value that does not match. */
  readonly message: string;
}

function pattern(source: string, rule: string, ...examples: readonly string[]): Pattern {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  return {
    regex: new RegExp(`^(?:${source})$`),
    message: `${rule} (e.g. ${shown}, regex used for validation is '${source}')`,
  };
}

const LABEL_SOURCE = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_SOURCE = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const LABEL = pattern(
  LABEL_SOURCE,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  'my-name',
  '123-abc',
);
const SUBDOMAIN = pattern(
  `${LABEL_SOURCE}(\\.${LABEL_SOURCE})*`,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
);
const WILDCARD = pattern(
  `\\*\\.${LABEL_SOURCE}(\\.${LABEL_SOURCE})*`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '*.example.com',
);
const LABEL_1035 = pattern(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  'my-name',
  'abc-123',
);
const QUALIFIED = pattern(
  QUALIFIED_SOURCE,
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyName',
  'my.name',
  '123-abc',
);
const LABEL_VALUE = pattern(
  `(${QUALIFIED_SOURCE})?`,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyValue',
  'my_value',
  '12345',
);
const CONFIG_MAP_KEY = pattern(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  'key.name',
  'KEY_NAME',
  'key-name',
);

const tooLong = (max: number) => `must be no more than ${max} characters`;

/** Validates a string by a pattern and a maximum length in bytes. The message about the length comes first. */
function matchPattern(value: string, { regex, message }: Pattern, max: number): readonly string[] {
  const matches = regex.test(value);
  if (isLongerThan(value, max)) return matches ? [tooLong(max)] : [tooLong(max), message];
  return matches ? VALID : [message];
}

/** Validates one label of a domain name. The names of namespaces follow this rule. */
export const dns1123Label: Validator = (value) => {
  const problems = matchPattern(value, LABEL, 63);
  if (problems.length === 0 || LABEL.regex.test(value) || !SUBDOMAIN.regex.test(value)) return problems;
  // A value that is a subdomain but not a label contains dots, so a short message about dots replaces the long one.
  return problems.map((problem) => (problem === LABEL.message ? 'must not contain dots' : problem));
};

/** Validates a lower-case domain name. The names of most kinds follow this rule. */
export const dns1123Subdomain: Validator = (value) => matchPattern(value, SUBDOMAIN, 253);

/** Validates a domain name whose first label is `*`. */
export const wildcardSubdomain: Validator = (value) => matchPattern(value, WILDCARD, 253);

/** Validates a label of a domain name that starts with a letter. The names in custom resource definitions follow this rule. */
export const dns1035Label: Validator = (value) => matchPattern(value, LABEL_1035, 63);

/** Validates `name` or `prefix.example/name`. Finalizers and the keys of labels and annotations follow this rule. */
export const qualifiedName: Validator = (value) => {
  const slash = value.indexOf('/');
  if (slash < 0) return namePart(value);
  if (value.includes('/', slash + 1)) {
    return [
      `a qualified name ${QUALIFIED.message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = value.slice(0, slash);
  const ofPrefix = prefix === '' ? ['must be non-empty'] : dns1123Subdomain(prefix);
  const ofName = namePart(value.slice(slash + 1));
  return ofPrefix.length === 0 ? ofName : [...ofPrefix.map((problem) => `prefix part ${problem}`), ...ofName];
};

function namePart(name: string): readonly string[] {
  if (name !== '' && isShortName(name)) return VALID;
  const problems = name === '' ? ['must be non-empty', QUALIFIED.message] : matchPattern(name, QUALIFIED, 63);
  return problems.length === 0 ? VALID : problems.map((problem) => `name part ${problem}`);
}

/** Validates the value of a label, which may be empty. */
export const labelValue: Validator = (value) => (isShortName(value) ? VALID : matchPattern(value, LABEL_VALUE, 63));

/** Validates a name that can be one segment of a URL. The names of roles and bindings, and all names in paths, follow this rule. */
export const pathSegment: Validator = (value) => nameIsPathSegment(value, false);

/** Validates a key of a ConfigMap's or Secret's data: a file name without path traversal. */
export const configMapKey: Validator = (value) => {
  const problems = matchPattern(value, CONFIG_MAP_KEY, 253);
  if (value === '.' || value === '..') return [...problems, `must not be '${value}'`];
  return value.startsWith('..') ? [...problems, "must not start with '..'"] : problems;
};

/** Returns whether {@link configMapKey} finds no error. It is much faster, which matters for objects with very many keys. */
export function isConfigMapKey(key: string): boolean {
  const { length } = key;
  if (length === 0 || length > 253 || (key.charCodeAt(0) === DOT && (length === 1 || key.charCodeAt(1) === DOT)))
    return false;
  for (let i = 0; i < length; i++) {
    const code = key.charCodeAt(i);
    if (!isLetterOrDigit(code) && code !== DOT && code !== DASH && code !== UNDERSCORE) return false;
  }
  return true;
}

/** Returns whether a string matches the pattern {@link QUALIFIED} or is empty, and has at most 63 characters. */
function isShortName(text: string): boolean {
  const { length } = text;
  if (length > 63) return false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (isLetterOrDigit(code)) continue;
    if (i === 0 || i === length - 1 || (code !== DOT && code !== DASH && code !== UNDERSCORE)) return false;
  }
  return true;
}

const DOT = 0x2e;
const DASH = 0x2d;
const UNDERSCORE = 0x5f;
const isLetterOrDigit = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);

/**
 * Returns the name rule that applies a validator. A generateName may end in a dash, because characters are appended to it. As in upstream,
 * the dash and the character before it are therefore replaced by a letter before the validator is called.
 */
function nameRule(validate: Validator): NameRule {
  return (name, prefix) => validate(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);
}

/** The name rule of most kinds. */
export const nameIsDns1123Subdomain: NameRule = nameRule(dns1123Subdomain);
/** The name rule of namespaces. */
export const nameIsDns1123Label: NameRule = nameRule(dns1123Label);
/** The name rule of services. */
export const nameIsDns1035Label: NameRule = nameRule(dns1035Label);
/** The name rule of roles and bindings. A generateName may also be `.` or `..`. */
export const nameIsPathSegment: NameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  if (!/[/%]/.test(name)) return VALID;
  return ['/', '%']
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
};
