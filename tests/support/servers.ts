import type { ApiServerOptions } from '../../src/api-server-options.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import type { AuthenticatorFactory } from '../../src/authentication/authenticator.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import type { AuthorizationAttributes, AuthorizerFactory } from '../../src/authorization/authorizer.js';
import { ApiServer, type UserInfo } from '../../src/index.js';

/**
 * A started server (k8s) on which anybody may do anything, with what the API server makes itself and no other controllers.
 * @param saved what another server saved.
 */
export async function openServer({
  saved,
  ...options
}: ApiServerOptions & { saved?: string } = {}): Promise<ApiServer> {
  const server = new ApiServer({
    dialect: 'k8s',
    controllers: [],
    authentication: [anonymous()],
    authorization: [alwaysAllow()],
    ...options,
  });
  if (saved !== undefined) await server.load(saved);
  await server.start();
  return server;
}

/** Takes every caller for this user. */
export const everybodyIs =
  (user: UserInfo): AuthenticatorFactory =>
  () => ({ name: 'test', authenticate: () => ({ outcome: 'authenticated', authenticator: 'test', user }) });

/** Allows what a rule allows. */
export const allowing =
  (rule: (attributes: AuthorizationAttributes) => boolean): AuthorizerFactory =>
  () => ({
    name: 'test',
    authorize: (attributes) => ({ decision: rule(attributes) ? 'Allow' : 'NoOpinion', reason: '' }),
  });
