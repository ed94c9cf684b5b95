import { errorsOf, fieldError, formatFieldErrors } from '../../meta/field-error.js';
import {
  int32,
  list,
  type OutputOf,
  omitEmpty,
  required,
  string,
  struct,
  structSchema,
} from '../../schema/authoring.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../../schema/configuration/decode-configuration.js';
import type { EventLimit, EventRateLimitOptions } from './event-rate-limit.js';

const KIND = 'Configuration';
const definitionName = (name: string) => `io.k8s.eventratelimit.v1alpha1.${name}`;
const limit = struct(definitionName('Limit'), '', () => ({
  type: required(string()),
  qps: required(int32()),
  burst: required(int32()),
  cacheSize: omitEmpty(int32()),
}));
const configuration = struct(definitionName(KIND), '', () => ({ limits: required(list(limit)) }));
const TYPES = ['Namespace', 'Server', 'SourceAndObject', 'User'];

/** The error for a configuration of the plug-in that contains no limits. */
export const NO_LIMITS = 'limits: Invalid value: []eventratelimit.Limit(nil): must not be empty';

/**
 * Reads the options of {@link eventRateLimit} from a configuration.
 * @throws ConfigurationError for an object that is not a valid configuration.
 */
export function eventRateLimitConfiguration(
  value: unknown,
  options: DecodeConfigurationOptions,
): EventRateLimitOptions {
  const known = [{ group: 'eventratelimit.admission', version: 'v1alpha1', kind: KIND }];
  const definition = { kind: KIND, known, lenient: true, schema: structSchema(configuration) };
  // Decoding with the schema guarantees this type, so the cast is safe.
  const { limits } = decodeConfiguration(value, definition, options) as OutputOf<typeof configuration>;
  if (!limits || limits.length === 0)
    throw new ConfigurationError(limits ? NO_LIMITS.replace('(nil)', '{}') : NO_LIMITS);
  const errors = errorsOf(limits, ({ type, qps, burst, cacheSize = 0 }, i) => {
    const path = `limits[${i}]`;
    return [
      ...(TYPES.includes(type) ? [] : [fieldError.notSupported(`${path}.type`, type, TYPES)]),
      ...(burst > 0 ? [] : [fieldError.invalid(`${path}.burst`, burst, 'must be positive')]),
      ...(qps > 0 ? [] : [fieldError.invalid(`${path}.qps`, qps, 'must be positive')]),
      ...(type === 'Server' || cacheSize >= 0
        ? []
        : [fieldError.invalid(`${path}.cacheSize`, cacheSize, 'must not be negative')]),
    ];
  });
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return { limits: limits as readonly EventLimit[] }; // Every `type` was validated, so the cast is safe.
}
