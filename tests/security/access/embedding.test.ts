import { afterEach, describe, expect, it } from 'vitest';
import { ApiServer } from '../../../src/api-server.js';
import type { ApiServerOptions } from '../../../src/api-server-options.js';
import { podSecurity } from '../../../src/exports/admission.js';
import {
  type Authenticator,
  type AuthenticatorFactory,
  anonymous,
  oidc,
  requestHeader,
  skipped,
} from '../../../src/exports/authentication.js';
import { alwaysAllow, authorizationConfiguration, webhook } from '../../../src/exports/authorization.js';
import { kubeconfigClient } from '../../../src/exports/client.js';
import { listen, toNodeHandler } from '../../../src/http/index.js';
import type { UserInfo } from '../../../src/meta/user-info.js';

/* Mistakes of a program that embeds a server do not open the server to callers without credentials. */
const connection = { server: 'https://webhook.example.com' };
const open: ApiServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
function create(options: ApiServerOptions): ApiServer {
  const server = new ApiServer(options);
  open.push(server);
  return server;
}
const read = async (server: Pick<ApiServer, 'fetch'>) =>
  (await server.fetch(new Request('http://server/api/v1/secrets'))).status;

describe('a caller without credentials', () => {
  const configured = () =>
    authorizationConfiguration(
      {
        authorizers: [
          { type: 'RBAC', name: 'rbac' },
          { type: 'AlwaysAllow', name: 'alwaysallow' },
        ],
      },
      { dialect: 'k8s' },
    );
  it.each([
    ['alone', { authorization: [alwaysAllow()] }],
    ['after the default authorizers', { authorization: (defaults) => [...defaults, alwaysAllow()] }],
    ['in a configuration', async () => ({ dialect: 'k8s', authorization: (await configured()).authorization })],
  ] satisfies [string, ApiServerOptions | (() => Promise<ApiServerOptions>)][])(
    'is refused by default if AlwaysAllow is an authorizer: %s',
    async (_, options) => {
      const server = create(typeof options === 'function' ? await options() : options);
      await server.start();
      expect(await read(server)).toBe(401);
      expect(await read(server.fork())).toBe(401);
    },
  );

  it('is refused by a server and its fork if the option that refuses it is inherited', async () => {
    const server = create(Object.create({ authentication: [] }));
    await server.start();
    await using fork = server.fork();
    expect([await read(server), await read(fork)]).toEqual([401, 401]);
  });

  it('is refused if the options change after the server was created', async () => {
    const options = { authentication: [] };
    const server = create(options);
    Reflect.deleteProperty(options, 'authentication');
    await server.start();
    expect(await read(server)).toBe(401);
  });
});

it.each([
  [{ username: 'jane', uid: 5 }, 'user "jane": uid must be a string'],
  [{ username: 'jane', groups: 'system:masters' }, 'user "jane": groups must be a list of strings'],
  [{ username: 'jane', groups: [['system:masters']] }, 'user "jane": groups must be a list of strings'],
  [{ username: 'jane', extra: 'x' }, 'user "jane": extra must be an object with lists of strings'],
  [{ username: 'jane', extra: { scopes: 'all' } }, 'user "jane": extra must be an object with lists of strings'],
  [null, 'a user must be an object with a username'],
  [{ username: '' }, 'a user must be an object with a username'],
])('a value that is not a user is refused: %j', async (value, message) => {
  const server = create({});
  await server.start();
  const user = value as unknown as UserInfo;
  expect(() => server.client({ user })).toThrow(message);
  await expect(server.fetch(new Request('http://server/api'), { user })).rejects.toThrow(message);
});

it.each([
  [() => anonymous({ path: ['/livez'] } as object), 'anonymous(): there is no option path; did you mean "paths"?'],
  [() => anonymous({ paths: undefined } as object), 'anonymous(): paths must be a list of paths'],
  [() => anonymous({ paths: '/livez' } as object), 'anonymous(): paths must be a list of paths'],
  [
    () => requestHeader({ clientCA: '', usernameHeaders: [], allowedName: ['proxy'] } as never),
    'did you mean "allowedNames"?',
  ],
  [
    () => oidc({ issuerUrl: 'https://issuer', clientId: 'me', requiredClaim: { hd: 'example.com' } } as never),
    'did you mean "requiredClaims"?',
  ],
  [() => webhook({ connection, failurepolicy: 'Deny' } as never), 'did you mean "failurePolicy"?'],
  [() => webhook({ connection, failurePolicy: 'deny' as never }), "failurePolicy must be 'NoOpinion' or 'Deny'"],
  [() => podSecurity({ default: {} } as object), 'podSecurity(): there is no option default; did you mean "defaults"?'],
  [() => podSecurity({ defaults: { enforced: {} } } as object), 'did you mean "enforce"?'],
  [() => podSecurity({ exemptions: { namespace: ['a'] } } as object), 'did you mean "namespaces"?'],
])('options of plug-ins that would allow more than was meant are refused: %s', (make, message) => {
  expect(make).toThrow(message);
});

it('anonymous requests are allowed for no path if the list of paths is empty', async () => {
  const server = create({ authentication: [anonymous({ paths: [] })] });
  await server.start();
  expect((await server.fetch(new Request('http://server/livez'))).status).toBe(401);
});

it('a client for a user that is undefined is refused, because it would be a member of system:masters', () => {
  const server = create({});
  const user: UserInfo | undefined = undefined;
  expect(() => server.client({ user } as object)).toThrow('client: user is undefined');
  expect(() => server.client({})).not.toThrow();
});

it.each([
  [{ user: 'jane' }, 'kubeconfig: there is no option user'],
  [{ username: 'jane', group: ['dev'] }, 'did you mean "groups"?'],
  [{ username: undefined }, 'username is undefined'],
  [{ username: 'jane', groups: undefined }, 'groups is undefined'],
  [{ username: 'jane', credentials: undefined }, 'credentials is undefined'],
])('a kubeconfig for %j is refused, because it would be one of an administrator', async (options, message) => {
  const server = create({});
  await server.start();
  const listener = await listen(server);
  await expect(listener.kubeconfig(options as object)).rejects.toThrow(message);
  await listener.close();
});

it('a client with a misspelled context is refused, because it would act on the current context', async () => {
  await expect(kubeconfigClient({ text: '', contxt: 'test' } as object)).rejects.toThrow('did you mean "context"?');
});

it('pages of other origins may not call the server if the function that decides is async', async () => {
  const server = create({ browsers: { allowOrigin: (async () => false) as never } });
  await server.start();
  const response = await server.fetch(new Request('http://server/version', { headers: { origin: 'https://evil' } }));
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

describe('an authenticator that returns the same objects for all requests', () => {
  const user = { username: '', groups: [] as string[] };
  const result = { outcome: 'authenticated', user, authenticator: 'mine' } as const;
  const recognize = (name: string | undefined) => {
    if (name === undefined) return skipped;
    user.username = name;
    user.groups = name === 'admin' ? ['system:masters'] : [];
    return result;
  };
  const byHeader: AuthenticatorFactory = () => ({
    name: 'mine',
    authenticate: ({ headers }) => recognize(headers.get('x-name')),
  });
  const byToken: AuthenticatorFactory = () =>
    ({
      name: 'mine',
      authenticate: () => skipped,
      authenticateToken: (token: string) => recognize(token),
    }) as Authenticator;
  it.each([
    ['by header', byHeader, (name: string) => ({ 'x-name': name })],
    ['by token', byToken, (name: string) => ({ authorization: `Bearer ${name}` })],
  ])('does not mix up its callers: %s', async (_, authenticator, headersOf) => {
    const server = create({ authentication: [authenticator] });
    await server.start();
    const statuses: number[] = [];
    for (const name of ['jane', 'admin', 'jane', 'admin', 'jane'])
      statuses.push(
        (await server.fetch(new Request('http://server/api/v1/secrets', { headers: headersOf(name) }))).status,
      );
    expect(statuses).toEqual([403, 200, 403, 200, 403]);
  });
});

it('an authenticator that changes a list of extra values does not change those of earlier callers', async () => {
  const scopes: string[] = [];
  const user = { username: 'jane', groups: ['system:authenticated'], extra: { scopes } };
  const authenticateToken = (token: string) => {
    scopes[0] = token;
    return { outcome: 'authenticated', user, authenticator: 'mine' } as const;
  };
  const byToken = () => ({ name: 'mine', authenticate: () => skipped, authenticateToken }) as Authenticator;
  const server = create({ authentication: [byToken] });
  await server.start();
  const found: unknown[] = [];
  for (const token of ['one', 'two', 'one']) {
    const url = 'http://server/apis/authentication.orch.io/v1/selfsubjectreviews';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await server.fetch(new Request(url, { method: 'POST', headers, body: '{}' }));
    const { status } = (await response.json()) as { status: { userInfo?: { extra?: unknown } } };
    found.push(status.userInfo?.extra);
  }
  expect(found).toEqual([{ scopes: ['one'] }, { scopes: ['two'] }, { scopes: ['one'] }]);
});

it('an authenticator cannot make a user an administrator by a string of groups', async () => {
  const user = { username: 'jane', groups: 'system:authenticated,not-system:masters' as never };
  const authenticate = () => ({ outcome: 'authenticated', user, authenticator: 'mine' }) as const;
  const server = create({ authentication: [() => ({ name: 'mine', authenticate })] });
  await server.start();
  await expect(read(server)).resolves.toBe(500);
});

describe('a listener', () => {
  it.each([
    [{ host: '' }, 'host must not be empty'],
    [{ bindAddress: '127.0.0.1' }, 'listen: there is no option bindAddress'],
    [{ minTLSVersion: 'TLSv1.3' }, 'did you mean "minTlsVersion"?'],
    [{ minTlsVersion: 'TLSv1' }, "minTlsVersion must be 'TLSv1.2' or 'TLSv1.3'"],
    [{ limits: { maxConnection: 5 } }, 'did you mean "maxConnections"?'],
    [{ tls: { cert: '', key: '' } }, 'the serving certificate and its key must not be empty'],
    [{ tls: {} }, 'the serving certificate and its key must not be empty'],
  ])('is not opened with %j', async (options, message) => {
    await expect(listen(create({}), options as object)).rejects.toThrow(message);
  });

  it('keeps its certificate if it is to be replaced by an empty one', async () => {
    const server = create({});
    await server.start();
    const listener = await listen(server);
    const before = listener.certificateAuthority;
    await expect(listener.renewCertificates({ tls: { cert: '', key: '' } })).rejects.toThrow('must not be empty');
    expect(listener.certificateAuthority).toBe(before);
    await listener.close();
  });

  it.each([
    [{ users: () => undefined }, 'toNodeHandler: there is no option users; did you mean "user"?'],
    [{ limits: { answerTimout: 5 } }, 'did you mean "answerTimeout"?'],
  ])('mounted with %j is refused', (options, message) =>
    expect(() => toNodeHandler(create({}), options as object)).toThrow(message),
  );
});
