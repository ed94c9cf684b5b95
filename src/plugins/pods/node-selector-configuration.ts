import { isJsonObject } from '../../json/value.js';
import { ConfigurationError } from '../../schema/configuration/decode-configuration.js';
import type { NodeSelectors } from './pod-node-selector.js';

const MEMBER = 'podNodeSelectorPluginConfig';

/**
 * Reads the selectors of {@link podNodeSelector} from its configuration file. @throws ConfigurationError for values that are not strings.
 */
export function nodeSelectorConfiguration(value: unknown): NodeSelectors {
  const selectors = (isJsonObject(value) ? value[MEMBER] : undefined) ?? {};
  if (!isJsonObject(selectors) || !Object.values(selectors).every((text) => typeof text === 'string'))
    throw new ConfigurationError(`${MEMBER} must be an object whose values are label selectors`);
  return selectors as NodeSelectors; // The check ensures that all values are strings, so the cast is safe.
}
