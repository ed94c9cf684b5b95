import { RELEASE } from '../discovery/version.js';
import { isFamilyAndLabel, type MetricsOptions } from '../metrics/metrics-options.js';
import { readConfiguration } from './configuration/read-configuration.js';
import type { Flags, FlagValues } from './flags.js';

/** Returns the errors in the flags about metrics, in upstream's words. */
export function checkMetricsFlags({ values }: Flags): string[] {
  const errors: string[] = [];
  const before = `${RELEASE.major}.${Number(RELEASE.minor) - 1}`;
  const shown = values['show-hidden-metrics-for-version'] ?? '';
  if (shown !== '' && shown !== before)
    errors.push(
      `--show-hidden-metrics-for-version must be omitted or have the value '${before}'. Only the previous minor version is allowed`,
    );
  const labels = [...(values['allow-metric-labels']?.keys() ?? [])];
  if (!labels.every(isFamilyAndLabel))
    errors.push(
      '--allow-metric-labels must have a list of kv pair with format `metricName,labelName=labelValue, labelValue,...`',
    );
  return errors;
}

/** Returns the metrics options of the flags. @throws Error for a manifest that cannot be used. */
export async function metricsOptions(values: FlagValues): Promise<MetricsOptions> {
  const shown = values['show-hidden-metrics-for-version'] ?? '';
  const manifest = values['allow-metric-labels-manifest'] ?? '';
  // If both the flag and the manifest are given, the flag is used.
  const allowed =
    values['allow-metric-labels'] ?? (manifest === '' ? new Map<string, string>() : await readManifest(manifest));
  return {
    ...(shown === '' ? {} : { showHiddenForVersion: shown }),
    disabled: values['disabled-metrics'] ?? [],
    allowedLabels: Object.fromEntries([...allowed].map(([key, text]) => [key, text.split(',')])),
  };
}

async function readManifest(file: string): Promise<ReadonlyMap<string, string>> {
  const { value: found } = await readConfiguration(file);
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new Error(`--allow-metric-labels-manifest: ${file} must map metric,label to value,value`);
  const allowed = new Map<string, string>();
  for (const [key, text] of Object.entries(found)) {
    if (!isFamilyAndLabel(key) || typeof text !== 'string')
      throw new Error(`--allow-metric-labels-manifest: ${file} must map metric,label to value,value, not ${key}`);
    allowed.set(key, text);
  }
  return allowed;
}
