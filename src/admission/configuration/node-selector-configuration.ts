import { isJsonObject } from '../../json/value.js';
import { ConfigurationError } from '../../schema/configuration/decode-configuration.js';
import type { NodeSelectors } from '../pods/pod-node-selector.js';

const MEMBER = 'podNodeSelectorPluginConfig';

/** What {@link podNodeSelector} reads of its file. @throws ConfigurationError for what is not an object of texts. */
export function nodeSelectorConfiguration(value: unknown): NodeSelectors {
  const given = (isJsonObject(value) ? value[MEMBER] : undefined) ?? {};
  if (!isJsonObject(given) || !Object.values(given).every((text) => typeof text === 'string'))
    throw new ConfigurationError(`${MEMBER} must be an object whose values are label selectors`);
  return given as NodeSelectors; // all are texts
}
