import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import type { AuthenticatorFactory } from '../../src/authentication/authenticator.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import type { AuthorizationAttributes, AuthorizerFactory } from '../../src/authorization/authorizer.js';
import { ApiServer, type UserInfo } from '../../src/index.js';

/** Anybody may do anything, with what the API server makes itself and no other controllers (k8s). */
const OPEN: ApiServerOptions = {
  dialect: 'k8s',
  controllers: [],
  authentication: [anonymous()],
  authorization: [alwaysAllow()],
};

interface StartOptions extends ApiServerOptions {
  /** What another server saved, which is loaded before the start. */
  readonly saved?: string | undefined;
}

/** Starts a server of these options. */
export async function startServer({ saved, ...options }: StartOptions = {}): Promise<ApiServer> {
  const server = new ApiServer(options);
  if (saved !== undefined) await server.load(saved);
  await server.start();
  return server;
}

/** Starts a server (k8s) on which anybody may do anything, with what the API server makes itself and no other controllers. */
export const openServer = (options: StartOptions = {}): Promise<ApiServer> => startServer({ ...OPEN, ...options });

/** Makes a server for the tests of a file or suite: it starts before them, and closes after them. */
export function suiteServer(options: ApiServerOptions = {}): ApiServer {
  const server = new ApiServer(options);
  beforeAll(() => server.start());
  afterAll(() => server.close());
  return server;
}

/** Makes such a server on which anybody may do anything. */
export const openSuiteServer = (options: ApiServerOptions = {}): ApiServer => suiteServer({ ...OPEN, ...options });

/** Closes a server when the test that runs has ended. */
export function closeAfterTest(server: ApiServer): ApiServer {
  onTestFinished(() => server.close());
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
