import type { FieldError } from '../../meta/field-error.js';
import { formatFieldErrors } from '../../meta/field-error.js';
import { list, type OutputOf, omitEmpty, struct, structSchema } from '../../schema/authoring.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../../schema/configuration/decode-configuration.js';
import type { Toleration } from './pod.js';
import type { PodTolerationOptions } from './pod-toleration-restriction.js';
import { toleration } from './toleration-list.js';

const tolerations = omitEmpty(list(toleration));
const configuration = struct('io.k8s.podtolerationrestriction.v1alpha1.Configuration', '', () => ({
  default: tolerations,
  whitelist: tolerations,
}));
/**
 * Reads the options of {@link podTolerationRestriction} from a configuration.
 * @param validate returns what is wrong with tolerations at a path, by the rules of pods
 * @throws ConfigurationError for an object that is not a configuration, or has invalid values.
 */
export function podTolerationConfiguration(
  value: unknown,
  options: DecodeConfigurationOptions,
  validate: (tolerations: readonly Toleration[], path: string) => readonly FieldError[],
): PodTolerationOptions {
  const kind = 'Configuration';
  const known = [{ group: 'podtolerationrestriction.admission', version: 'v1alpha1', kind }];
  const definition = { kind, known, lenient: true, schema: structSchema(configuration) };
  const decoded = decodeConfiguration(value, definition, options) as OutputOf<typeof configuration>; // by its schema
  const errors = (['default', 'whitelist'] as const).flatMap((name) => validate(decoded[name] ?? [], name));
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return decoded;
}
