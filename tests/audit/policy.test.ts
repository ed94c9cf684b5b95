import { describe, expect, it } from 'vitest';
import { type AuditPolicy, type AuditRule, readAuditPolicy } from '../../src/audit/audit-policy.js';
import { type AuditedRequest, policyDecisions } from '../../src/audit/policy-rules.js';
import { k8s, orch } from '../../src/meta/dialect.js';
import type { UserInfo } from '../../src/meta/user-info.js';

const jane = { username: 'jane', groups: ['dev', 'system:authenticated'] };
const GET_PODS: AuditedRequest = {
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  namespace: 'a',
  resource: 'pods',
  subresource: '',
  name: 'x',
  path: '/api/v1/namespaces/a/pods/x',
};
const on = (given: Partial<AuditedRequest>): AuditedRequest => ({ ...GET_PODS, ...given });
const aPath = (path: string) =>
  on({ resourceRequest: false, version: '', namespace: '', resource: '', name: '', path });
const core = (...resources: string[]) => ({ resources: [{ group: '', resources }] });

/** Returns whether a rule matches a request. */
const matches = (rule: Partial<AuditRule>, request: AuditedRequest, user: UserInfo | undefined = jane) =>
  policyDecisions({ rules: [{ level: 'Metadata', ...rule }] })(request, user).level === 'Metadata';

describe('a rule of an audit policy', () => {
  it('about users does not match a request without a user', () => {
    const decide = policyDecisions({
      rules: [
        { level: 'Metadata', users: ['jane'] },
        { level: 'Metadata', userGroups: ['dev'] },
      ],
    });
    expect(decide(GET_PODS, jane).level).toBe('Metadata');
    expect(decide(GET_PODS, undefined).level).toBe('None');
  });

  const table: readonly (readonly [what: string, Partial<AuditRule>, AuditedRequest, expected: boolean])[] = [
    ['without members is about everything', {}, GET_PODS, true],
    ['without members is about paths, too', {}, aPath('/version'), true],
    ['names users', { users: ['jane'] }, GET_PODS, true],
    ['names other users', { users: ['joe'] }, GET_PODS, false],
    ['names groups', { userGroups: ['ops', 'dev'] }, GET_PODS, true],
    ['names other groups', { userGroups: ['ops'] }, GET_PODS, false],
    ['names verbs', { verbs: ['get'] }, GET_PODS, true],
    ['names other verbs', { verbs: ['list'] }, GET_PODS, false],
    ['needs all of it', { users: ['jane'], verbs: ['list'] }, GET_PODS, false],
    ['names a resource', core('pods'), GET_PODS, true],
    ['names a resource, not its subresources', core('pods'), on({ subresource: 'log' }), false],
    ['names a subresource', core('pods/log'), on({ subresource: 'log' }), true],
    ['names a subresource, not the resource', core('pods/log'), GET_PODS, false],
    ['names all resources', core('*'), on({ subresource: 'log' }), true],
    ['names a resource with all below it', core('pods/*'), on({ subresource: 'log' }), true],
    ['names a resource with all below it, and itself', core('pods/*'), GET_PODS, true],
    ['names the same subresource of all', core('*/log'), on({ subresource: 'log' }), true],
    ['names the same subresource of all, no other', core('*/log'), on({ subresource: 'status' }), false],
    ['names the same subresource of all, not what has none', core('*/log'), GET_PODS, false],
    ['names a group without resources', { resources: [{ group: '' }] }, GET_PODS, true],
    ['names another group', { resources: [{ group: 'apps' }] }, GET_PODS, false],
    ['names objects', { resources: [{ resources: ['pods'], resourceNames: ['x'] }] }, GET_PODS, true],
    ['names other objects', { resources: [{ resources: ['pods'], resourceNames: ['y'] }] }, GET_PODS, false],
    ['names one of several', { resources: [{ group: 'apps' }, { resources: ['pods'] }] }, GET_PODS, true],
    ['names namespaces', { namespaces: ['a'] }, GET_PODS, true],
    ['names other namespaces', { namespaces: ['b'] }, GET_PODS, false],
    ['names what has no namespace', { namespaces: [''] }, on({ namespace: '' }), true],
    ['names namespaces, which paths have none of', { namespaces: [''] }, aPath('/version'), false],
    ['names resources, which paths are none of', core('*'), aPath('/version'), false],
    ['names a path', { nonResourceURLs: ['/version'] }, aPath('/version'), true],
    ['names a path, not what is below it', { nonResourceURLs: ['/version'] }, aPath('/version/'), false],
    ['names the beginning of paths', { nonResourceURLs: ['/healthz*'] }, aPath('/healthz/ping'), true],
    ['names another beginning', { nonResourceURLs: ['/healthz*'] }, aPath('/livez'), false],
    ['names all paths', { nonResourceURLs: ['*'] }, aPath('/livez'), true],
    ['names all paths, which resources are none of', { nonResourceURLs: ['*'] }, GET_PODS, false],
  ];
  for (const [what, rule, request, expected] of table)
    it(`${what}: ${expected ? 'it matches' : 'it does not match'}`, () =>
      expect(matches(rule, request)).toBe(expected));
});

describe('an audit policy', () => {
  it('applies the first rule that matches, and records nothing if none matches', () => {
    const decide = policyDecisions({
      rules: [
        { level: 'None', users: ['joe'] },
        { level: 'Request', verbs: ['get'] },
        { level: 'RequestResponse', verbs: ['get', 'list'] },
      ],
    });
    expect(decide(GET_PODS, jane).level).toBe('Request');
    expect(decide(on({ verb: 'list' }), jane).level).toBe('RequestResponse');
    expect(decide(GET_PODS, { username: 'joe' }).level).toBe('None');
    expect(decide(on({ verb: 'watch' }), jane).level).toBe('None');
  });

  it('leaves out the stages of the policy and of the rule, and managed fields as the rule says', () => {
    const decide = policyDecisions({
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'Metadata', verbs: ['get'], omitStages: ['Panic'] },
        { level: 'Metadata', omitManagedFields: false },
      ],
    });
    expect(decide(GET_PODS, jane)).toEqual({
      level: 'Metadata',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: true,
    });
    expect(decide(on({ verb: 'list' }), jane)).toMatchObject({
      omitStages: new Set(['RequestReceived']),
      omitManagedFields: false,
    });
  });
});

describe('reading an audit policy', () => {
  const file = (members: object) => ({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...members });
  const read = (value: unknown, warn?: (problem: string) => void) =>
    readAuditPolicy(value, k8s, { typed: true, ...(warn ? { warn } : {}) });

  it('takes a file without a kind for a policy', () => {
    expect(read({ apiVersion: 'audit.k8s.io/v1', rules: [{ level: 'None' }] }).rules).toHaveLength(1);
  });

  const refusals: readonly (readonly [what: string, value: unknown, message: string])[] = [
    ['an empty file', {}, 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
    [
      'another version',
      { ...file({}), apiVersion: 'audit.k8s.io/v1beta1' },
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1"',
    ],
    [
      'another kind of the group',
      { ...file({}), kind: 'Event' },
      'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion',
    ],
    [
      'a list',
      [],
      'failed decoding: couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      'no version',
      { ...file({}), apiVersion: '' },
      'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy',
    ],
    [
      'another kind without a version',
      { kind: 'Rules' },
      'failed decoding: no kind "Rules" is registered for the internal version of group "audit.k8s.io"',
    ],
    [
      'a version that is not a string',
      { ...file({}), apiVersion: 1 },
      "failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string",
    ],
    [
      'a label that is not a string',
      file({ metadata: { labels: { a: 1 } } }),
      'failed decoding: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a level that is not a string',
      file({ rules: [{ level: 1 }] }),
      'failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level',
    ],
    ['no rules', file({}), 'loaded illegal policy with 0 rules'],
    ['no level', file({ rules: [{}] }), 'rules[0].level: Required value'],
    [
      'an unknown level',
      file({ rules: [{ level: 'All' }] }),
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'an unknown stage',
      file({ rules: [{ level: 'None', omitStages: ['End'] }] }),
      'rules[0].omitStages[0]: Invalid value: "End": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      'a path without its slash',
      file({ rules: [{ level: 'None', nonResourceURLs: ['version'] }] }),
      `rules[0].nonResourceURLs[0]: Invalid value: "version": non-resource URL rules must begin with a '/' character`,
    ],
    [
      'a star in a path',
      file({ rules: [{ level: 'None', nonResourceURLs: ['/a*/b'] }] }),
      `rules[0].nonResourceURLs[0]: Invalid value: "/a*/b": non-resource URL wildcards '*' must be the final character of the rule`,
    ],
    [
      'names without resources',
      file({ rules: [{ level: 'None', resources: [{ resourceNames: ['x'] }] }] }),
      'rules[0].resources.resourceNames: Invalid value: []string{"x"}: using resourceNames requires at least one resource',
    ],
    [
      'paths and namespaces',
      file({ rules: [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }] }),
      'rules[0].nonResourceURLs: Invalid value: []string{"/a"}: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ];
  for (const [what, value, message] of refusals)
    it(`refuses ${what}`, () => expect(() => read(value)).toThrow(message));

  it('names its group as the dialect does', () => {
    const policy: AuditPolicy = { apiVersion: 'audit.orch.io/v1', kind: 'Policy', rules: [{ level: 'None' }] };
    expect(readAuditPolicy(policy, orch, { typed: true }).rules).toHaveLength(1);
    expect(() => readAuditPolicy(policy, k8s, { typed: true })).toThrow('no kind "Policy"');
  });

  it('refuses unknown fields, but only warns of them in a file', () => {
    const odd = file({ rules: [{ level: 'None', user: ['x'] }] });
    expect(() => read(odd)).toThrow('unknown field "rules[0].user"');
    const warnings: string[] = [];
    expect(read(odd, (problem) => warnings.push(problem)).rules).toEqual([{ level: 'None' }]);
    expect(warnings.join()).toContain('falling back to lenient decoding: strict decoding error: unknown field');
  });
});
