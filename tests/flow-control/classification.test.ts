import { expect, it } from 'vitest';
import { matchesRequest, matchesUser } from '../../src/flow-control/matching.js';
import { aGet, atOnce, flowWorld, levelOf, memberOf, schemaOf } from './world.js';

const path = (of: string) => ({ ...aGet, resourceRequest: false, path: of, verb: 'get' });

it('subjects are users, groups and service accounts, by name or all of them', () => {
  const is = (subject: object, user: string, ...groups: string[]) =>
    matchesUser({ subjects: [subject] } as never, memberOf(user, ...groups));
  expect(is({ kind: 'User', user: { name: 'jane' } }, 'jane')).toBe(true);
  expect(is({ kind: 'User', user: { name: 'jane' } }, 'janet')).toBe(false);
  expect(is({ kind: 'User', user: { name: '*' } }, 'anybody')).toBe(true);
  expect(is({ kind: 'Group', group: { name: 'dev' } }, 'jane', 'ops', 'dev')).toBe(true);
  expect(is({ kind: 'Group', group: { name: 'dev' } }, 'dev')).toBe(false);
  expect(is({ kind: 'Group', group: { name: '*' } }, 'jane')).toBe(true);
  const account = (name: string) => ({ kind: 'ServiceAccount', serviceAccount: { namespace: 'ns', name } });
  expect(is(account('a'), 'system:serviceaccount:ns:a')).toBe(true);
  expect(is(account('*'), 'system:serviceaccount:ns:b')).toBe(true);
  expect(is(account('*'), 'system:serviceaccount:nsx:b')).toBe(false);
  expect(is(account('a'), 'ns:a')).toBe(false);
});

it('resources are matched with verb, group, subresource and namespace', () => {
  const matches = (rule: object, facts: object = {}) =>
    matchesRequest(
      {
        resourceRules: [
          { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], namespaces: ['default'], ...rule },
        ],
      } as never,
      { ...aGet, ...facts },
    );
  expect(matches({})).toBe(true);
  expect(matches({}, { verb: 'list' })).toBe(false);
  expect(matches({}, { group: 'apps' })).toBe(false);
  expect(matches({}, { subresource: 'status' })).toBe(false);
  expect(matches({ resources: ['configmaps/status'] }, { subresource: 'status' })).toBe(true);
  expect(matches({ resources: ['*'] }, { subresource: 'status' })).toBe(true);
  expect(matches({}, { namespace: 'other' })).toBe(false);
  expect(matches({ namespaces: ['*'] }, { namespace: 'other' })).toBe(true);
  expect(matches({ namespaces: ['*'] }, { namespace: '' })).toBe(false);
  expect(matches({ clusterScope: true }, { namespace: '' })).toBe(true);
  expect(matches({}, path('/version'))).toBe(false);
});

it('paths match themselves and, with an asterisk, what is below them', () => {
  const matches = (rule: string, of: string) =>
    matchesRequest({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [rule] }] } as never, path(of));
  expect(matches('/livez', '/livez')).toBe(true);
  expect(matches('/livez', '/livez/ping')).toBe(true);
  expect(matches('/livez', '/livezz')).toBe(false);
  expect(matches('/livez/*', '/livez/ping')).toBe(true);
  expect(matches('/livez/*', '/livez')).toBe(false);
  expect(matches('*', '/anything')).toBe(true);
});

it('of several flow schemas, the lowest precedence counts, then the name', () => {
  const world = flowWorld();
  world.levels.set(['a', 'b', 'c'].map((name) => levelOf(name)));
  world.schemas.set([
    schemaOf('z-first', 'a', 'crowd', { matchingPrecedence: 50 }),
    schemaOf('b-same', 'b', 'crowd', { matchingPrecedence: 60 }),
    schemaOf('a-same', 'c', 'others', { matchingPrecedence: 60 }),
  ]);
  const of = (...groups: string[]) => atOnce(world.begin(memberOf('jane', ...groups))).flowSchemaUid;
  expect(of('crowd', 'others')).toBe('uid-of-z-first');
  expect(of('others')).toBe('uid-of-a-same');
  expect(of('system:authenticated')).toBe(''); // the catch-all that is not stored
  expect(of()).toBe('');
});

it('cached matches of a user are dropped with the configuration, and never kept for a user that may change', async () => {
  const world = flowWorld();
  world.levels.set([levelOf('a'), levelOf('b')]);
  world.schemas.set([schemaOf('one', 'a', 'crowd')]);
  const jane = memberOf('jane', 'crowd');
  const changing = { username: 'x', groups: ['nobody'] };
  const of = (user: typeof jane) => atOnce(world.begin(user)).flowSchemaUid;
  expect([of(jane), of(jane), of(changing)]).toEqual(['uid-of-one', 'uid-of-one', '']);
  changing.groups.push('crowd');
  expect(of(changing)).toBe('uid-of-one');
  world.schemas.set([schemaOf('two', 'b', 'crowd')]);
  expect(of(jane)).toBe('uid-of-two');
});

it('flows are distinguished by user or by namespace', () => {
  const world = flowWorld({ seats: 1 });
  const queues = { queues: 64, handSize: 1, queueLengthLimit: 1, nominalConcurrencyShares: 100_000 };
  world.levels.set([levelOf('a', queues)]);
  world.schemas.set([schemaOf('one', 'a', 'crowd', { distinguisherMethod: { type: 'ByNamespace' } })]);
  const begin = (user: string, namespace: string) => world.begin(memberOf(user, 'crowd'), { namespace });
  atOnce(begin('jane', 'n'));
  expect(begin('jane', 'n')).toBeInstanceOf(Promise);
  expect(atOnce(begin('john', 'n')).retryAfter).toBe(1);
  expect(begin('john', 'm')).toBeInstanceOf(Promise);
});
