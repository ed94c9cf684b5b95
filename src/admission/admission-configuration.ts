import type { JsonValue } from '../json/value.js';
import { any, list, type OutputOf, omitEmpty, omitNull, required, string, structSchema } from '../schema/authoring.js';
import { configurationPart as part } from '../schema/configuration/configuration-part.js';
import { type DecodeConfigurationOptions, decodeConfiguration } from '../schema/configuration/decode-configuration.js';

const plugin = part('AdmissionPluginConfiguration', () => ({
  name: required(string()),
  path: omitEmpty(string()),
  configuration: omitNull(any()),
}));
const configuration = part('AdmissionConfiguration', () => ({
  plugins: omitEmpty(list(plugin)),
}));
const webhooks = part('WebhookAdmission', () => ({ kubeConfigFile: required(string()) }));

/** The configuration of a plug-in: inline, or as the path of a file. */
export interface PluginConfiguration {
  readonly name: string;
  readonly path?: string;
  readonly configuration?: JsonValue;
}

/** Reads the plug-in configurations from an AdmissionConfiguration. @throws ConfigurationError for any other object. */
export function admissionConfiguration(
  value: unknown,
  options: DecodeConfigurationOptions,
): readonly PluginConfiguration[] {
  const kind = 'AdmissionConfiguration';
  const known = [
    { group: 'apiserver.config', version: 'v1', kind },
    { group: 'apiserver', version: 'v1alpha1', kind },
  ];
  const definition = { kind, known, lenient: true, schema: structSchema(configuration) };
  // `definition` contains the schema of `configuration`. The decoded value therefore has the output type of `configuration`, and the cast
  // is safe.
  return (decodeConfiguration(value, definition, options) as OutputOf<typeof configuration>).plugins ?? [];
}

/** Reads the path of the kubeconfig from a WebhookAdmissionConfiguration. @throws ConfigurationError for any other object. */
export function webhookAdmissionConfiguration(value: unknown, options: DecodeConfigurationOptions): string {
  const kind = 'WebhookAdmissionConfiguration';
  const known = [
    { group: 'apiserver.config', version: 'v1', kind },
    { group: 'apiserver.config', version: 'v1alpha1', kind: 'WebhookAdmission' },
  ];
  const definition = { kind, known, lenient: true, schema: structSchema(webhooks) };
  // `definition` contains the schema of `webhooks`. The decoded value therefore has the output type of `webhooks`, and the cast is safe.
  return (decodeConfiguration(value, definition, options) as OutputOf<typeof webhooks>).kubeConfigFile;
}
