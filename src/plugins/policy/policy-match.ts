import type { AdmissionAttributes, ResourceForm } from '../../admission/admission-plugin.js';
import { matchRules } from '../../admission/matching/rule.js';
import { selects } from '../../admission/matching/selectors.js';
import type { Lister } from '../../meta/host.js';
import type { MatchResources } from '../../resources/admissionregistration/admissionregistration-v1.types.js';

/**
 * Returns the version in which a policy or a binding matches a request; undefined when it does not match.
 * @throws ApiError when the namespace does not exist.
 */
export function matchResources(
  match: MatchResources | undefined,
  attributes: AdmissionAttributes,
  forms: readonly ResourceForm[],
  namespaces: Lister,
): ResourceForm | undefined {
  const [own] = forms;
  if (!match) return own;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = match;
  const selected = selects(match, attributes, namespaces);
  if (!selected.matches) return undefined;
  if (matchRules(excludeResourceRules, matchPolicy, attributes, forms)) return undefined;
  const form = resourceRules.length === 0 ? own : matchRules(resourceRules, matchPolicy, attributes, forms);
  if (form && selected.error !== undefined) throw selected.error;
  return form;
}
