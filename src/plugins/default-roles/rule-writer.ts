import type { Dialect } from '../../meta/dialect.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';

export const READ = 'get list watch';
export const WRITE = 'create delete deletecollection patch update';
export const READ_WRITE = 'create delete deletecollection get list patch update watch';

/** Creates rules from a short notation. A list is one string with its items separated by spaces. */
export interface RuleWriter {
  /**
   * Creates a rule for verbs on resources.
   * @param groups `core` is the core group. A name that ends with a dot gets the suffix of the API dialect: `coordination.` becomes
   * `coordination.k8s.io`.
   * @param names restricts the rule to objects with these names.
   */
  allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule;
  /** Creates a rule for verbs on non-resource URLs. */
  paths(verbs: string, urls: string): PolicyRule;
  /** The rule for writing events, in both API groups that serve events. */
  readonly events: PolicyRule;
}

const words = (text: string) => text.split(' ');

export function ruleWriter({ groupSuffix }: Dialect): RuleWriter {
  const groupName = (word: string) => (word === 'core' ? '' : word.endsWith('.') ? word + groupSuffix : word);
  const allow: RuleWriter['allow'] = (verbs, groups, resources, names) => ({
    verbs: words(verbs),
    apiGroups: words(groups).map(groupName),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  });
  return {
    allow,
    paths: (verbs, urls) => ({ verbs: words(verbs), nonResourceURLs: words(urls) }),
    events: allow('create patch update', 'core events.', 'events'),
  };
}
