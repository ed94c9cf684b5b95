/**
 * What a role allows (spec 13.1). The kinds' schema satisfies it. Rules are read before they are validated,
 * too: readers take a list that is null for an empty one.
 */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
