import { formatFieldError } from '../../meta/field-error.js';
import { coreV1 } from '../../resources/core/core-v1.js';
import { validateTolerations } from '../../resources/core/pod/validation/pod-scheduling-validation.js';
import { list, type OutputOf, omitEmpty, struct, structSchema } from '../../schema/authoring.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../../schema/configuration/decode-configuration.js';
import type { PodTolerationOptions } from './pod-toleration-restriction.js';

const tolerations = omitEmpty(list(coreV1.struct('Toleration')));
const configuration = struct('io.k8s.podtolerationrestriction.v1alpha1.Configuration', '', () => ({
  default: tolerations,
  whitelist: tolerations,
}));
/**
 * Reads the options of {@link podTolerationRestriction} from a configuration.
 * @throws ConfigurationError for an object that is not a valid configuration.
 */
export function podTolerationConfiguration(value: unknown, options: DecodeConfigurationOptions): PodTolerationOptions {
  const kind = 'Configuration';
  const known = [{ group: 'podtolerationrestriction.admission', version: 'v1alpha1', kind }];
  const definition = { kind, known, lenient: true, schema: structSchema(configuration) };
  // Decoding with the schema guarantees this type, so the cast is safe.
  const decoded = decodeConfiguration(value, definition, options) as OutputOf<typeof configuration>;
  const errors = (['default', 'whitelist'] as const).flatMap((name) =>
    validateTolerations(decoded[name] ?? [], `podtolerationrestriction.${name}`),
  );
  if (errors.length > 0) throw new ConfigurationError(`invalid config: [${errors.map(formatFieldError).join(' ')}]`);
  return decoded;
}
