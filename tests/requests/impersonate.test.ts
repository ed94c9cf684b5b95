import { describe, expect, it } from 'vitest';
import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';
import type { UserInfo } from '../../src/meta/user-info.js';
import { ask as askServer } from '../support/ask.js';
import { allowing, everybodyIs, startServer } from '../support/servers.js';

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
type Given = readonly (readonly [string, string])[];

/** Repeated headers are kept separate. */
function headersFrom(given: Given): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of given) values[name] = [...(values[name] ?? []), value];
  return values;
}

/** Returns the impersonated user and the authorized attributes, or the status and message of a refusal. */
async function ask(
  given: Given,
  {
    rule = () => true,
    user = { username: 'bob' },
    query = '',
  }: { rule?: (a: AuthorizationAttributes) => boolean; user?: UserInfo; query?: string } = {},
) {
  const checks: string[] = [];
  const judge = (attributes: AuthorizationAttributes) => {
    const { verb, group, resource, subresource, namespace, name, user: caller } = attributes;
    if (verb !== 'impersonate') return true;
    checks.push(`${caller.username}: ${resource}${subresource ? `/${subresource}` : ''}.${group} ${namespace}/${name}`);
    return rule(attributes);
  };
  await using server = await startServer({
    dialect: 'k8s',
    authentication: [everybodyIs(user)],
    authorization: [allowing(judge)],
    controllers: [],
  });
  const { status, headers, value } = await askServer(server, {
    method: 'POST',
    path: WHO,
    query,
    headers: headersFrom(given),
    body: {},
  });
  return { status, headers, checks, who: value.status?.userInfo, message: value.message };
}

describe('impersonation', () => {
  it('replaces the user of the caller, keeping no attribute of the caller', async () => {
    const { who } = await ask([['Impersonate-User', 'jane']], {
      user: { username: 'bob', uid: '1', groups: ['ops'], extra: { a: ['b'] } },
    });
    expect(who).toEqual({ username: 'jane', groups: ['system:authenticated'] });
  });

  it('authorizes each attribute separately, as the caller, in a fixed order', async () => {
    const { who, checks } = await ask([
      ['Impersonate-Uid', 'u-1'],
      ['Impersonate-Extra-Acme.com%2FScopes', 'view'],
      ['Impersonate-Group', 'devs'],
      ['Impersonate-User', 'jane'],
    ]);
    expect(checks).toEqual([
      'bob: users. /jane',
      'bob: groups. /devs',
      'bob: userextras/acme.com/scopes.authentication.k8s.io /view',
      'bob: uids.authentication.k8s.io /u-1',
    ]);
    expect(who).toEqual({
      username: 'jane',
      uid: 'u-1',
      groups: ['devs', 'system:authenticated'],
      extra: { 'acme.com/scopes': ['view'] },
    });
  });

  it('authorizes service accounts in their namespace', async () => {
    const { who, checks } = await ask([['Impersonate-User', 'system:serviceaccount:ns:robot']]);
    expect(checks).toEqual(['bob: serviceaccounts. ns/robot']);
    expect(who).toEqual({
      username: 'system:serviceaccount:ns:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    });
    const withGroup = await ask([
      ['Impersonate-User', 'system:serviceaccount:ns:robot'],
      ['Impersonate-Group', 'own'],
    ]);
    expect(withGroup.who.groups).toEqual(['own', 'system:authenticated']);
    expect((await ask([['Impersonate-User', 'system:serviceaccount:ns:Not:Valid']])).checks).toEqual([
      'bob: users. /system:serviceaccount:ns:Not:Valid',
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['jane', ['system:authenticated', 'x'], ['system:authenticated', 'x']],
    ['jane', ['system:unauthenticated'], ['system:unauthenticated']],
    ['system:anonymous', [], ['system:unauthenticated']],
    ['system:anonymous', ['system:unauthenticated'], ['system:unauthenticated']],
    ['jane', ['a'], ['a', 'system:authenticated']],
  ])('authorizes %s with groups %j as %j', async (user, groups, expected) => {
    const { who } = await ask([
      ['Impersonate-User', user],
      ...groups.map((group) => ['Impersonate-Group', group] as const),
    ]);
    expect(who.groups).toEqual(expected);
  });

  it.each<[string, [string, string][], string]>([
    [
      'users',
      [['Impersonate-User', 'john']],
      'users "john" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      'groups',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'ops'],
      ],
      'groups "ops" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'uids',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Uid', 'u'],
      ],
      'uids.authentication.k8s.io "u" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      'userextras',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Extra-K', 'v'],
      ],
      'userextras.authentication.k8s.io "v" is forbidden: User "bob" cannot impersonate resource "userextras/k" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      'serviceaccounts',
      [['Impersonate-User', 'system:serviceaccount:ns:a']],
      'serviceaccounts "a" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
    ],
  ])('is refused if one attribute is: %s', async (resource, headers, message) => {
    const answer = await ask(headers, { rule: (attributes) => attributes.resource !== resource });
    expect(answer).toMatchObject({ status: 403, message });
    expect(answer.headers['X-Content-Type-Options']).toBe('nosniff');
  });

  it.each<[[string, string][], string]>([
    [[['Impersonate-Group', 'developers']], '{Group  developers    }'],
    [[['Impersonate-Uid', '123']], '{UID  123  authentication.k8s.io/v1  }'],
    [[['Impersonate-Extra-Scopes', 'view']], '{UserExtra  view  authentication.k8s.io/v1  scopes}'],
    [
      [
        ['Impersonate-User', ''],
        ['Impersonate-Group', '<b>'],
      ],
      '{Group  &lt;b&gt;    }',
    ],
  ])('requires a user: %j', async (headers, printed) => {
    const answer = await ask(headers, { query: 'a=1' });
    expect(answer.status).toBe(500);
    expect(answer.message).toBe(
      `Internal Server Error: "/apis/authentication.k8s.io/v1/selfsubjectreviews?a=1": requested [${printed}] without impersonating a user\n`,
    );
    expect(answer.headers['Content-Type']).toBe('text/plain; charset=utf-8');
  });

  it('is not requested by empty headers', async () => {
    const { who, checks } = await ask([
      ['Impersonate-User', ''],
      ['Impersonate-Uid', ''],
    ]);
    expect(who.username).toBe('bob');
    expect(checks).toEqual([]);
  });

  it('keeps undecodable and unusual keys unchanged', async () => {
    const { who } = await ask([
      ['Impersonate-User', 'jane'],
      ['Impersonate-Extra-Bad%zz', 'v'],
      ['Impersonate-Extra-__Proto__', 'x'],
    ]);
    expect(Object.keys(who.extra).sort()).toEqual(['__proto__', 'bad%zz']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});
