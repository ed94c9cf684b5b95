import { describe, expect, it } from 'vitest';
import { abac } from '../../src/authorization/abac.js';
import { orch } from '../../src/meta/dialect.js';
import { fakeHost } from '../support/hosts.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { attributesOf, attributesWith, type Case, userOf } from './upstream-data.js';

const line = (spec: object) =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const make = (text: string, host = fakeHost()) => abac(text, { path: 'p.jsonl' })(host);
const decide = async (text: string, given: Parameters<typeof attributesWith>[0]) =>
  (await make(text).authorize(attributesWith(given))).decision;

describe('ABAC', () => {
  it('decides as recorded', async () => {
    const policies = make(line({ user: 'bob', namespace: 'default', resource: 'configmaps', readonly: true }));
    const question = attributesWith({
      user: { username: 'bob' },
      verb: 'get',
      resource: 'configmaps',
      namespace: 'default',
    });
    expect(await policies.authorize(question)).toMatchObject({ decision: 'Allow', reason: '', authorizer: 'abac' });
    expect(await policies.authorize({ ...question, verb: 'create' })).toMatchObject({
      decision: 'NoOpinion',
      reason: 'No policy matched.',
    });
  });

  it.each([
    ['distinguishes upper and lower case', { user: 'Bob', namespace: '*', resource: '*', apiGroup: '*' }, 'NoOpinion'],
    ['a line without a user and a group allows nobody', { namespace: '*', resource: '*', apiGroup: '*' }, 'NoOpinion'],
    [
      'the name of a group does not match a user',
      { user: 'dev', namespace: '*', resource: '*', apiGroup: '*' },
      'NoOpinion',
    ],
    [
      'a line with a user and a group requires both',
      { user: 'bob', group: 'ops', namespace: '*', resource: '*', apiGroup: '*' },
      'NoOpinion',
    ],
    [
      'a line with a user and a group allows both',
      { user: 'bob', group: 'dev', namespace: '*', resource: '*', apiGroup: '*' },
      'Allow',
    ],
    ['the user * is not everyone', { user: '*', namespace: '*', resource: '*', apiGroup: '*' }, 'NoOpinion'],
    [
      'a line without a namespace does not allow a request in one',
      { user: 'bob', resource: '*', apiGroup: '*' },
      'NoOpinion',
    ],
  ])('%s', async (_name, spec, expected) => {
    const user = { username: 'bob', groups: ['dev'] };
    expect(await decide(line(spec), { user, verb: 'create', resource: 'pods', namespace: 'n' })).toBe(expected);
  });

  it.each([
    ['{', 'line 1: {: '],
    [`\n# note\n${line({ user: 1 })}`, 'line 3: '],
    ['[]', 'a policy must be an object'],
    ['null', 'a policy must be an object'],
    [line({ readonly: 'yes' }), 'readonly must be true or false'],
    [
      '{"apiVersion":"abac.authorization.kubernetes.io/v1","kind":"Policy","spec":{}}',
      'no kind "Policy" is registered',
    ],
    ['{"kind":"Rule","user":"bob"}', 'no kind "Rule" is registered for version ""'],
    ['{"apiVersion":"abac.authorization.kubernetes.io/v1beta1"}', 'no kind "" is registered'],
    ['{"apiVersion":"v0","user":"bob"}', 'no kind "" is registered for version "v0"'],
    [`{"user":"${'x'.repeat(70_000)}"}`, 'line 1 is too long'],
  ])('refuses %j', (text, message) => {
    expect(() => make(text)).toThrow('error reading policy file p.jsonl');
    expect(() => make(text)).toThrow(message);
  });

  it('does not know names of the other dialect', () => {
    expect(() => abac(line({ user: 'x' }))({ ...fakeHost(), dialect: orch })).toThrow('is registered for version');
  });

  it.each([
    ['no kind', { apiVersion: 'abac.authorization.kubernetes.io/v0' }, 1],
    ['no version', { kind: 'Policy' }, 1],
    ['empty strings', { apiVersion: '', kind: '' }, 1],
    ['kind and version of the older form', { apiVersion: 'abac.authorization.kubernetes.io/v0', kind: 'Policy' }, 0],
  ])('reads a line of the older form with %s', async (_name, type, warnings) => {
    const host = fakeHost();
    const text = JSON.stringify({ ...type, user: 'bob', namespace: 'n' });
    make(text, host);
    expect(host.lines).toHaveLength(warnings);
    const bob = { user: { username: 'bob' }, verb: 'delete', resource: 'pods' };
    expect(await decide(text, { ...bob, namespace: 'n' })).toBe('Allow');
    expect(await decide(text, { ...bob, namespace: 'm' })).toBe('NoOpinion');
  });

  it('warns once of lines without a version, in which absent fields match everything', async () => {
    const host = fakeHost();
    make('{"user":"admin"}\n{"user":"other"}', host);
    expect(host.lines).toHaveLength(1);
    const admin = { user: { username: 'admin' }, verb: 'delete' };
    expect(await decide('{"user":"admin"}', { ...admin, resource: 'x', namespace: 'y' })).toBe('Allow');
    expect(await decide('{"user":"admin"}', { ...admin, resourceRequest: false, path: '/metrics' })).toBe('Allow');
    expect(await decide('{"__proto__":{"user":"admin"}}', { ...admin, resource: 'x' })).toBe('NoOpinion');
  });
});

const data = readShared('data/authz-abac/authz-abac.json');
const table = (test: string): Case => data?.tables.find((each: Case) => each.test === test)?.cases ?? [];
const named = (list: readonly Case[]) => list.map((each): [string, Case] => [each.name, each]);

describe.skipIf(!hasSharedData)("ABAC: the upstream's tables", () => {
  const lower = (policy: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(policy).map(([key, value]) => [
        key === 'NonResourcePath' ? 'nonResourcePath' : key === 'APIGroup' ? 'apiGroup' : key.toLowerCase(),
        value,
      ]),
    );
  const lineOf = (policy: Record<string, unknown>, versioned: boolean) =>
    versioned ? line(lower((policy['Spec'] ?? {}) as Record<string, unknown>)) : JSON.stringify(lower(policy));

  it.each(named(table('TestPolicy')))('%s', async (name, given: Case) => {
    const { policy, attr, matches } = given as {
      policy: Record<string, unknown>;
      attr: Record<string, unknown>;
      matches: boolean;
    };
    const decision = await make(lineOf(policy, String(name).startsWith('v1'))).authorize({
      ...attributesOf(attr),
      resourceRequest: Boolean(attr['ResourceRequest']),
    });
    expect(decision.decision).toBe(matches ? 'Allow' : 'NoOpinion');
  });

  it.each(Object.entries<Case>(table('TestSubjectMatches')))('%s', async (name, given: Case) => {
    const { User, Policy, ExpectMatch } = given as {
      User: object;
      Policy: Record<string, unknown>;
      ExpectMatch: boolean;
    };
    const everything = { Namespace: '*', Resource: '*', APIGroup: '*' };
    const versioned = name.startsWith('v1');
    const spec = (Policy['Spec'] ?? Policy) as Record<string, unknown>;
    const text = versioned
      ? line(lower({ ...spec, ...everything }))
      : JSON.stringify(lower({ ...spec, Namespace: '*', Resource: '*' }));
    expect(await decide(text, { user: userOf(User), verb: 'get', resource: 'r' })).toBe(
      ExpectMatch ? 'Allow' : 'NoOpinion',
    );
  });
});
