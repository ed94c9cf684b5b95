import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import type { AuthenticatorFactory } from '../../src/authentication/authenticator.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import type { AuthorizationAttributes, AuthorizerFactory } from '../../src/authorization/authorizer.js';
import { ApiServer, type UserInfo } from '../../src/index.js';

/** Options (k8s) that allow every request, with only the controllers of the API server itself. */
const OPEN: ApiServerOptions = {
  dialect: 'k8s',
  controllers: [],
  authentication: [anonymous()],
  authorization: [alwaysAllow()],
};

interface StartOptions extends ApiServerOptions {
  /** A saved state that is loaded before the start. */
  readonly saved?: string | undefined;
}

/** Starts a server with these options. */
export async function startServer({ saved, ...options }: StartOptions = {}): Promise<ApiServer> {
  const server = new ApiServer(options);
  if (saved !== undefined) await server.load(saved);
  await server.start();
  return server;
}

/** Starts a server (k8s) that allows every request, with only the controllers of the API server itself. */
export const openServer = (options: StartOptions = {}): Promise<ApiServer> => startServer({ ...OPEN, ...options });

/** Returns a server for the tests of a file or suite, which starts before them and closes after them. */
export function suiteServer(options: ApiServerOptions = {}): ApiServer {
  const server = new ApiServer(options);
  beforeAll(() => server.start());
  afterAll(() => server.close());
  return server;
}

/** Returns such a server that allows every request. */
export const openSuiteServer = (options: ApiServerOptions = {}): ApiServer => suiteServer({ ...OPEN, ...options });

/** Closes a server when the current test has ended. */
export function closeAfterTest(server: ApiServer): ApiServer {
  onTestFinished(() => server.close());
  return server;
}

/** Authenticates every caller as this user. */
export const everybodyIs =
  (user: UserInfo): AuthenticatorFactory =>
  () => ({ name: 'test', authenticate: () => ({ outcome: 'authenticated', authenticator: 'test', user }) });

/** Allows the requests that match a rule. */
export const allowing =
  (rule: (attributes: AuthorizationAttributes) => boolean): AuthorizerFactory =>
  () => ({
    name: 'test',
    authorize: (attributes) => ({ decision: rule(attributes) ? 'Allow' : 'NoOpinion', reason: '' }),
  });
