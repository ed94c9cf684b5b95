import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { AuthenticationTrust } from '../../controllers/server-authorities.js';
import type { FollowedFile } from '../configuration/follow-file.js';
import type { Flags } from '../flags.js';
import type { ConfiguredMethod } from './method.js';
import { METHODS } from './methods.js';

export interface AuthenticationOptions {
  readonly authentication: AuthenticatorFactory[];
  readonly authenticationTrust: () => AuthenticationTrust;
  /** Files that may change while the server runs. */
  readonly followed: readonly FollowedFile[];
}

/**
 * Reads the authentication options from the flags and the files they name: the methods in the order in which they are tried, and the trust
 * that the server publishes.
 * @param authorities authorities of client certificates, PEM.
 */
export async function authenticationOptions(
  flags: Flags,
  authorities: readonly string[],
  log: (message: string) => void,
): Promise<AuthenticationOptions> {
  const authentication: AuthenticatorFactory[] = [];
  const followed: FollowedFile[] = [];
  const trusts: (() => AuthenticationTrust)[] = [];
  let configuresAnonymous = false;
  for (const method of METHODS) {
    const configured: ConfiguredMethod = await method.read(flags, { authorities, configuresAnonymous, log });
    authentication.push(...(configured.authentication ?? []));
    followed.push(...(configured.followed ?? []));
    if (configured.trust) trusts.push(configured.trust);
    configuresAnonymous ||= configured.configuresAnonymous ?? false;
  }
  const authenticationTrust = () => Object.assign({}, ...trusts.map((trust) => trust())) as AuthenticationTrust;
  return { authentication, authenticationTrust, followed };
}
