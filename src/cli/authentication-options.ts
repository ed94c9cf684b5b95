import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import type { AuthenticationTrust } from '../controllers/server-authorities.js';
import type { FollowedFile } from './configuration/follow-file.js';
import { jwtOptions } from './configuration/jwt-options.js';
import { readOptionalTextFile } from './files.js';
import type { Flags, FlagValues } from './flags.js';

export interface AuthenticationOptions {
  readonly authentication: AuthenticatorFactory[];
  readonly authenticationTrust: AuthenticationTrust;
  /** Files that may change while the server runs. */
  readonly followed: readonly FollowedFile[];
}

/**
 * What the flags say of how callers are known, in the order they are asked, and what is published of it; reads the files they name.
 * @param authorities of client certificates, PEM.
 */
export async function authenticationOptions(
  flags: Flags,
  authorities: readonly string[],
  log: (message: string) => void,
): Promise<AuthenticationOptions> {
  const { values } = flags;
  const { x509 } = await import('../authentication/certificates/x509.js');
  const { tokenFile } = await import('../authentication/tokens/token-file.js');
  const { anonymous } = await import('../authentication/anonymous.js');
  const tokens = await readOptionalTextFile(values['token-auth-file']);
  const modes = values['authorization-config'] ? ['file'] : (values['authorization-mode'] ?? []);
  // Everybody is allowed everything in this mode alone: then nobody is anonymous unless that is wanted (spec 11.19).
  const onlyAlwaysAllow = modes.every((mode) => mode === 'AlwaysAllow');
  const proxies = await proxyOptions(values);
  const jwt = await jwtOptions(flags, log);
  const isAnonymous = jwt.configuresAnonymous ? false : (values['anonymous-auth'] ?? !onlyAlwaysAllow);
  const authentication = [
    ...(proxies ? [(await import('../authentication/request-header.js')).requestHeader(proxies)] : []),
    ...(authorities.length > 0 ? [x509({ clientCA: authorities })] : []),
    ...(tokens === undefined ? [] : [tokenFile(tokens, { path: values['token-auth-file'] ?? '' })]),
    ...(await bootstrap(values)),
    ...jwt.authentication,
    ...(isAnonymous ? [anonymous()] : []),
  ];
  const clientCA = authorities.join('');
  return {
    authentication,
    followed: jwt.followed,
    authenticationTrust: { ...(clientCA ? { clientCA } : {}), ...(proxies ? { requestHeader: proxies } : {}) },
  };
}

/** Authenticating proxies, where their authority is named. */
async function proxyOptions(values: FlagValues): Promise<AuthenticationTrust['requestHeader']> {
  const clientCA = await readOptionalTextFile(values['requestheader-client-ca-file']);
  if (clientCA === undefined) return undefined;
  return {
    clientCA,
    allowedNames: values['requestheader-allowed-names'] ?? [],
    usernameHeaders: values['requestheader-username-headers'] ?? [],
    groupHeaders: values['requestheader-group-headers'] ?? [],
    extraHeaderPrefixes: values['requestheader-extra-headers-prefix'] ?? [],
  };
}

async function bootstrap(values: FlagValues): Promise<AuthenticatorFactory[]> {
  if (!values['enable-bootstrap-token-auth']) return [];
  const { bootstrapTokens } = await import('../authentication/tokens/bootstrap-token.js');
  return [bootstrapTokens()];
}
