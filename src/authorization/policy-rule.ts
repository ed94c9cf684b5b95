/** What a role allows (document 2, section 5.9). The kinds' schema satisfies it; absent and null lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly resourceNames?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}
