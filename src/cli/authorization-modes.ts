/**
 * Returns the authorization modes of the flags: those of `--authorization-mode`, or AlwaysAllow without them. Returns undefined if the
 * authorizers are in the file of `--authorization-config`. As in upstream, a flag with an empty value counts as absent.
 */
export function authorizationModes(values: {
  readonly 'authorization-mode': readonly string[] | undefined;
  readonly 'authorization-config': string | undefined;
}): readonly string[] | undefined {
  if (values['authorization-config']) return undefined;
  const modes = values['authorization-mode'] ?? [];
  return modes.length === 0 ? ['AlwaysAllow'] : modes;
}

/** The values that `--authorization-mode` accepts. */
export const AUTHORIZATION_MODES: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
