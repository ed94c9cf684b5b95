import { describe, expect, it } from 'vitest';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { alwaysDeny } from '../../src/authorization/always-deny.js';
import type { AuthorizationAttributes, Authorizer, Decision } from '../../src/authorization/authorizer.js';
import { forbiddenMessage } from '../../src/authorization/forbidden-message.js';
import { privilegedGroups } from '../../src/authorization/privileged-groups.js';
import { unionAuthorizer } from '../../src/authorization/union.js';
import { apiError } from '../../src/meta/api-error.js';
import { fakeHost } from '../support/hosts.js';

const attributes = (change: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes => ({
  user: { username: 'jane' },
  verb: 'list',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
  path: '/api/v1/pods',
  ...change,
});
const always = (name: string, decision: Decision): Authorizer => ({ name, authorize: () => decision });
const none = (reason = '', error?: Error): Decision => ({ decision: 'NoOpinion', reason, ...(error ? { error } : {}) });
const allow: Decision = { decision: 'Allow', reason: 'yes' };
const deny: Decision = { decision: 'Deny', reason: 'no' };

describe('unionAuthorizer', () => {
  const decide = (...decisions: Decision[]) =>
    unionAuthorizer(decisions.map((d, i) => always(`a${i}`, d))).authorize(attributes());
  it('is decided by the first Allow or Deny', async () => {
    expect(await decide(none(), allow, deny)).toEqual({ ...allow, authorizer: 'a1' });
    expect(await decide(none(), deny, allow)).toEqual({ ...deny, authorizer: 'a1' });
    const closed: Decision = { ...deny, error: new Error('webhook failed closed') };
    expect(await decide(none(), closed, allow)).toEqual({ ...closed, authorizer: 'a1' });
  });
  it('has no opinion otherwise, and returns all reasons and errors', async () => {
    expect(await decide()).toEqual(none());
    expect(await decide(none('a'), none(), none('b', new Error('x')), none('', new Error('y')))).toMatchObject({
      decision: 'NoOpinion',
      reason: 'a\nb',
      error: { message: '[x, y]' },
    });
  });
  it('continues after an authorizer that throws, and returns the error', async () => {
    const broken: Authorizer = { name: 'broken', authorize: () => Promise.reject(new Error('crash')) };
    expect(await unionAuthorizer([broken, always('a', none())]).authorize(attributes())).toMatchObject({
      decision: 'NoOpinion',
      error: { message: 'crash' },
    });
    expect(await unionAuthorizer([broken, always('a', allow)]).authorize(attributes())).toMatchObject({
      decision: 'Allow',
    });
  });
  it('refuses two authorizers of the same name', () => {
    expect(() => unionAuthorizer([always('a', allow), always('a', deny)])).toThrow(TypeError);
  });
});

describe('the simple authorizers', () => {
  const host = fakeHost();
  it('always-allow allows, always-deny has no opinion', async () => {
    expect(await alwaysAllow()(host).authorize(attributes())).toMatchObject({ decision: 'Allow', reason: '' });
    expect(await alwaysDeny()(host).authorize(attributes())).toMatchObject({
      decision: 'NoOpinion',
      reason: 'Everything is forbidden.',
    });
    expect(await unionAuthorizer([alwaysDeny()(host), alwaysAllow()(host)]).authorize(attributes())).toMatchObject({
      decision: 'Allow',
    });
  });
  it.each([
    [['system:masters'], 'Allow'],
    [['a', 'system:masters'], 'Allow'],
    [['system:master'], 'NoOpinion'],
    [undefined, 'NoOpinion'],
  ])('privileged-groups for %j: %s', async (groups, decision) => {
    const user = { username: 'u', ...(groups ? { groups } : {}) };
    expect(await privilegedGroups.authorize(attributes({ user }))).toMatchObject({ decision, reason: '' });
  });
});

describe('forbiddenMessage', () => {
  it.each<[string, Partial<AuthorizationAttributes>, string, string]>([
    [
      'a namespace',
      { namespace: 'default' },
      '',
      'User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    [
      'the cluster',
      { resource: 'roles', group: 'rbac.authorization.k8s.io' },
      '',
      'User "jane" cannot list resource "roles" in API group "rbac.authorization.k8s.io" at the cluster scope',
    ],
    [
      'a subresource',
      { verb: 'get', namespace: 'n', name: 'a', subresource: 'log' },
      '',
      'User "jane" cannot get resource "pods/log" in API group "" in the namespace "n"',
    ],
    [
      'a reason, unescaped',
      { namespace: 'n' },
      'RBAC: <x> & y',
      'User "jane" cannot list resource "pods" in API group "" in the namespace "n": RBAC: <x> & y',
    ],
    [
      'a path',
      { resourceRequest: false, verb: 'get', path: '/metrics' },
      '',
      'forbidden: User "jane" cannot get path "/metrics"',
    ],
    [
      'HTML',
      { resourceRequest: false, verb: 'get', path: '/<a>&"', user: { username: '<b>\n' } },
      '',
      'forbidden: User "&lt;b&gt;\\n" cannot get path "/&lt;a&gt;&amp;\\""',
    ],
  ])('for %s', (_, change, reason, text) => {
    expect(forbiddenMessage(attributes(change), reason)).toBe(text);
  });
  it('completes the error of a resource', () => {
    const refused = attributes({ namespace: 'default' });
    expect(apiError.forbidden(refused, '', forbiddenMessage(refused, '')).message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });
});
