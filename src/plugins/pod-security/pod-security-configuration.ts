import { errorsOf, type FieldError, fieldError, formatFieldErrors } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import { list, type OutputOf, omitEmpty, omitNull, string, struct, structSchema } from '../../schema/authoring.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../../schema/configuration/decode-configuration.js';
import { isLevel, type Mode, NO_LEVEL, NO_VERSION, PRIVILEGED, readLevelVersion } from './level.js';
import type { PodSecurityOptions } from './pod-security.js';

const KIND = 'PodSecurityConfiguration';
const definitionName = (name: string) => `io.k8s.pod-security-admission.v1.${name}`;
const text = string();
const texts = list(text);
const defaults = struct(definitionName('PodSecurityDefaults'), '', () => ({
  enforce: omitEmpty(text),
  'enforce-version': omitEmpty(text),
  audit: omitEmpty(text),
  'audit-version': omitEmpty(text),
  warn: omitEmpty(text),
  'warn-version': omitEmpty(text),
}));
const exemptions = struct(definitionName('PodSecurityExemptions'), '', () => ({
  usernames: omitEmpty(texts),
  namespaces: omitEmpty(texts),
  runtimeClasses: omitEmpty(texts),
}));
const configuration = struct(definitionName(KIND), '', () => ({
  defaults: omitNull(defaults),
  exemptions: omitNull(exemptions),
}));
type Configuration = OutputOf<typeof configuration>;

/**
 * Reads the options of {@link podSecurity} from a PodSecurityConfiguration.
 * @throws ConfigurationError for an object that is not a valid configuration.
 */
export function podSecurityConfiguration(value: unknown, options: DecodeConfigurationOptions): PodSecurityOptions {
  const known = ['v1', 'v1beta1', 'v1alpha1'].map((version) => ({
    group: 'pod-security.admission.config',
    version,
    kind: KIND,
  }));
  const decoded = decodeConfiguration(value, { kind: KIND, known, schema: structSchema(configuration) }, options);
  // Decoding with the schema guarantees this type, so the cast is safe.
  const { defaults: defaultLevels = {}, exemptions: exempt = {} } = decoded as Configuration;
  const errors: FieldError[] = [];
  const read = (mode: Mode) => {
    const { [mode]: level = PRIVILEGED.level, [`${mode}-version` as const]: version = 'latest' } = defaultLevels;
    const number = readLevelVersion(version);
    if (!isLevel(level)) errors.push(fieldError.invalid(`defaults.${mode}`, level, NO_LEVEL));
    if (number === undefined) errors.push(fieldError.invalid(`defaults.${mode}-version`, version, NO_VERSION));
    return { level: isLevel(level) ? level : 'restricted', version: number ?? 'latest' } as const;
  };
  const enforce = read('enforce');
  const warn = read('warn');
  const audit = read('audit');
  const { namespaces = [], runtimeClasses = [], usernames = [] } = exempt;
  errors.push(
    ...validateNames('namespaces', namespaces, (path, name) => invalidName(path, name, dns1123Label(name))),
    ...validateNames('runtimeClasses', runtimeClasses, (path, name) => invalidName(path, name, dns1123Subdomain(name))),
    ...validateNames('usernames', usernames, (path, name) => (name === '' ? fieldError.required(path) : undefined)),
  );
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return { defaults: { enforce, warn, audit }, exemptions: { namespaces, runtimeClasses, usernames } };
}

const invalidName = (path: string, name: string, problems: readonly string[]): FieldError | undefined =>
  problems.length === 0 ? undefined : fieldError.invalid(path, name, problems.join(', '));

function validateNames(
  member: string,
  names: readonly string[],
  check: (path: string, name: string) => FieldError | undefined,
): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOf(names, (name, i) => {
    const path = `exemptions.${member}[${i}]`;
    const error = check(path, name) ?? (seen.has(name) ? fieldError.duplicate(path, name) : undefined);
    if (error) return [error];
    seen.add(name);
    return [];
  });
}
