import { expect, it } from 'vitest';
import { ApiServer, configMap, secret } from '../../src/index.js';
import { clusterRole } from '../../src/resources/rbac/index.js';
import * as testing from '../../src/testing/index.js';
import { closeAfterTest, startServer } from '../support/servers.js';

/** Passes a value of any type, as a caller in JavaScript can. */
const any = (value?: unknown) => value as never;
const server = new ApiServer({ dialect: 'k8s', clock: testing.createFakeClock() });
const client = server.client();
const where = { namespace: 'default' };
const body = () => {};
const notALog = 'the requests must be those of a log, which recordRequests(server) returns';
const notAServer = 'the argument must be a server, such as new ApiServer()';

it.each<[name: string, call: () => unknown, message: string]>([
  [
    'createFakeClock(null)',
    () => testing.createFakeClock(any(null)),
    'the time must be a Date, a number of milliseconds or an ISO 8601 string, not null',
  ],
  [
    'FakeClock.advance',
    () => testing.createFakeClock().advance(any('5s')),
    'advance: the time must be a number of milliseconds, not "5s"',
  ],
  [
    'createFakeRandom',
    () => testing.createFakeRandom(any('x')),
    'createFakeRandom: the seed must be a whole number: "x"',
  ],
  ['createFakeHost', () => testing.createFakeHost(any({ clock: 1 })), 'createFakeHost: there is no option clock'],
  ['insecureDeterministic', () => testing.insecureDeterministic(any()), 'insecureDeterministic: the options must be'],
  [
    'insecureDeterministic, an option',
    () => testing.insecureDeterministic(any({ seed: 1, begin: 2 })),
    'there is no option begin',
  ],
  ['createIssuer', () => testing.createIssuer(any({ port: 1 })), 'createIssuer: there is no option port'],
  [
    'createIssuer, the algorithm',
    () => testing.createIssuer(any({ algorithm: 'HS256' })),
    'algorithm must be RS256 or ES256',
  ],
  ['listenAsIssuer', () => testing.listenAsIssuer(any({ prot: 1 })), 'listenAsIssuer: there is no option prot'],
  ['advance', () => testing.advance(any(null), 5), `advance: ${notAServer}`],
  ['advance, the list of servers', () => testing.advance([], 5), 'advance: the list of servers is empty'],
  ['diff', () => testing.diff(any(), server), `diff: ${notAServer}`],
  ['diff, an option', () => testing.diff(server, server, any({ all: true })), 'diff: there is no option all'],
  ['exploreOrders', () => testing.exploreOrders(any(body), any()), 'exploreOrders: the options must be an object'],
  [
    'exploreOrders, an option',
    () => testing.exploreOrders(any({ seed: 1 }), body),
    'there is no option seed; did you mean "seeds"?',
  ],
  [
    'exploreOrders, the body',
    () => testing.exploreOrders({}, any()),
    'exploreOrders: body must be a function, not undefined',
  ],
  [
    'exploreOrders, the seeds',
    () => testing.exploreOrders({ seeds: 1.5 }, body),
    'exploreOrders: seeds must be a number of at least 1',
  ],
  [
    'exploreOrders, too many seeds',
    () => testing.exploreOrders({ seeds: 1e12 }, body),
    'exploreOrders: seeds must be a number of at least 1',
  ],
  [
    'exploreOrders, no seeds',
    () => testing.exploreOrders(any({ seeds: null }), body),
    'exploreOrders: seeds must be a number of at least 1',
  ],
  ['assertDeterministic', () => testing.assertDeterministic(any()), 'assertDeterministic: run must be a function'],
  [
    'assertDeterministic, an option',
    () => testing.assertDeterministic(any(body), any({ replay: 2 })),
    'did you mean "replays"?',
  ],
  ['follow', () => testing.assertDeterministic(async ({ follow }) => follow(any())), `follow: ${notAServer}`],
  ['received', () => testing.received(any(), {}), notALog],
  ['notReceived', () => testing.notReceived(any(server), {}), notALog],
  ['nothingForbidden', () => testing.nothingForbidden(any([{}])), notALog],
  [
    'nothingForbidden, the matcher',
    () => testing.nothingForbidden([], any(null)),
    'a log of requests: match must be an object',
  ],
  [
    'nothingForbidden, the status',
    () => testing.nothingForbidden([], any({ status: 200 })),
    'omit match.status, which is always 403',
  ],
  ['noHotLoop', () => testing.noHotLoop(any(null)), notALog],
  ['noWriteOnStaleRead', () => testing.noWriteOnStaleRead(any([{}])), notALog],
  ['minimalRoles', () => testing.minimalRoles(any(), 'jane'), notALog],
  [
    'minimalRoles, the user',
    () => testing.minimalRoles(any([]), any()),
    'minimalRoles: user must be the name of a user',
  ],
  [
    'client',
    () => server.client(any({ useragent: 'x' })),
    'client: there is no option useragent; did you mean "userAgent"?',
  ],
  ['client(null)', () => server.client(any(null)), 'client: the options must be an object'],
  ['replay', () => testing.replay([], any()), `replay: ${notAServer}`],
  ['notReceived, the verb', () => testing.notReceived([], { verb: 'creat' }), 'unknown verb "creat"'],
  ['waitFor, an option', () => testing.waitFor(client, configMap, 'a', body, any({ timout: 1 })), '"timeout"?'],
  ['waitFor, the test', () => testing.waitFor(client, configMap, 'a', any(where)), 'waitFor: test must be a function'],
  [
    'waitFor, the timeout',
    () => testing.waitFor(client, configMap, 'a', body, any({ ...where, timeout: 'x' })),
    'not "x"',
  ],
  [
    'waitForDeletion, the name',
    () => testing.waitForDeletion(client, configMap, any(), where),
    'waitForDeletion: name must be a string',
  ],
  [
    'waitForDeletion, the namespace',
    () => testing.waitForDeletion(client, secret, 'a'),
    'secrets are namespaced: give the option',
  ],
])('the error names the invalid argument of %s', async (_name, call, message) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(message);
});

it('waits for a test that returns a promise, and for a name that selectors must escape', async () => {
  const started = closeAfterTest(await startServer({ dialect: 'k8s' }));
  const rules = (await started.client().create(clusterRole, { metadata: { name: 'a=b,c' }, rules: [] })).metadata;
  const found = await testing.waitFor(started.client(), clusterRole, 'a=b,c', async () => true, { timeout: 1000 });
  expect(found.metadata.uid).toBe(rules.uid);
  const never = testing.waitFor(started.client(), clusterRole, 'a=b,c', async () => false, { timeout: 20 });
  await expect(never).rejects.toThrow('waited 20 ms for clusterroles "a=b,c"');
});
