import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import type { AuthenticationTrust } from '../controllers/server-authorities.js';
import { readOptionalTextFile } from './files.js';
import type { FlagValues } from './flags.js';

/**
 * What the flags say of how callers are known, in the order they are asked, and what is published of it; reads the files they name.
 * @param authorities of client certificates, PEM.
 */
export async function authenticationOptions(
  values: FlagValues,
  authorities: readonly string[],
): Promise<{ authentication: AuthenticatorFactory[]; authenticationTrust: AuthenticationTrust }> {
  const { x509 } = await import('../authentication/certificates/x509.js');
  const { tokenFile } = await import('../authentication/tokens/token-file.js');
  const { anonymous } = await import('../authentication/anonymous.js');
  const tokens = await readOptionalTextFile(values['token-auth-file']);
  const modes = values['authorization-mode'] ?? [];
  // Everybody is allowed everything in this mode alone: then nobody is anonymous unless that is wanted (spec 11.19).
  const onlyAlwaysAllow = modes.every((mode) => mode === 'AlwaysAllow');
  const proxies = await proxyOptions(values);
  const authentication = [
    ...(proxies ? [(await import('../authentication/request-header.js')).requestHeader(proxies)] : []),
    ...(authorities.length > 0 ? [x509({ clientCA: authorities })] : []),
    ...(tokens === undefined ? [] : [tokenFile(tokens, { path: values['token-auth-file'] ?? '' })]),
    ...(await bootstrap(values)),
    ...((values['anonymous-auth'] ?? !onlyAlwaysAllow) ? [anonymous()] : []),
  ];
  const clientCA = authorities.join('');
  return {
    authentication,
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
