import { errorsOf, fieldError, formatFieldErrors } from '../../meta/field-error.js';
import { list, type OutputOf, omitEmpty, required, string, struct, structSchema } from '../../schema/authoring.js';
import { configurationPart as part } from '../../schema/configuration/configuration-part.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../../schema/configuration/decode-configuration.js';
import type { ResourceQuotaOptions } from './resource-quota.js';

const KIND = 'ResourceQuotaConfiguration';
const text = string();
const requirement = struct('io.k8s.api.core.v1.ScopedResourceSelectorRequirement', '', () => ({
  scopeName: required(string({ typeName: 'v1.ResourceQuotaScope' })),
  operator: required(string({ typeName: 'v1.ScopeSelectorOperator' })),
  values: omitEmpty(list(text)),
}));
const limitedResource = part('LimitedResource', () => ({
  apiGroup: omitEmpty(text),
  resource: required(text),
  matchContains: omitEmpty(list(text)),
  matchScopes: omitEmpty(list(requirement)),
}));
// Upstream's Go type has this name, whatever the kind is called.
const configuration = part('Configuration', () => ({ limitedResources: omitEmpty(list(limitedResource)) }));

/**
 * Reads the options of {@link resourceQuotaAdmission} from a ResourceQuotaConfiguration.
 * @throws ConfigurationError for an object that is not a valid configuration.
 */
export function resourceQuotaConfiguration(value: unknown, options: DecodeConfigurationOptions): ResourceQuotaOptions {
  const older = { group: 'resourcequota.admission', kind: 'Configuration' };
  const known = [
    { group: 'apiserver.config', version: 'v1', kind: KIND },
    { ...older, version: 'v1beta1' },
    { ...older, version: 'v1alpha1' },
  ];
  const definition = { kind: KIND, known, lenient: true, schema: structSchema(configuration) };
  // Decoding with the schema guarantees this type, so the cast is safe.
  const decoded = decodeConfiguration(value, definition, options) as OutputOf<typeof configuration>;
  const { limitedResources = [] } = decoded;
  const errors = errorsOf(limitedResources, ({ resource }, i) =>
    resource === '' ? [fieldError.required(`limitedResources[${i}].resource`)] : [],
  );
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return { limitedResources };
}
