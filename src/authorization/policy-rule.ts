/**
 * What a role allows (document 2, section 5.9). The kinds' schema satisfies it. Rules are read before they are validated,
 * too: readers take a list that is null for an empty one.
 */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
