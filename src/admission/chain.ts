import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { AdmissionAttributes, AdmissionPlugin } from './admission-plugin.js';

const handles = (plugin: AdmissionPlugin, attributes: AdmissionAttributes) => plugin.handles?.(attributes) ?? true;

/** @throws ApiError 400 when a dry run would call what has effects outside (document 2, section 4.9). */
function refuseSideEffects(plugin: AdmissionPlugin, attributes: AdmissionAttributes): void {
  if (attributes.dryRun && plugin.sideEffects)
    throw apiError.badRequest(`admission plugin "${plugin.name}" does not support dry run`);
}

/**
 * The mutating phase: each plug-in that handles the request may replace the object, in order.
 * @returns the object as the last one left it; undefined on DELETE.
 */
export async function runAdmit(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): Promise<ApiObject | undefined> {
  let object = attributes.object;
  for (const plugin of plugins) {
    if (!plugin.admit) continue;
    const current = { ...attributes, object };
    if (!handles(plugin, current)) continue;
    refuseSideEffects(plugin, current);
    const answer = plugin.admit(current);
    object = (answer instanceof Promise ? await answer : answer) ?? object;
  }
  return object;
}

/** The validating phase: the first refusal ends it. */
export async function runValidate(plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): Promise<void> {
  for (const plugin of plugins) {
    if (!plugin.validate || !handles(plugin, attributes)) continue;
    refuseSideEffects(plugin, attributes);
    await plugin.validate(attributes);
  }
}
