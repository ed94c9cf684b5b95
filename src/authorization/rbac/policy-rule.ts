/**
 * A rule of a role (spec 13.1), which the schema of the kinds satisfies. Rules are also read before they are validated, so readers treat a
 * null list as an empty one.
 */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
