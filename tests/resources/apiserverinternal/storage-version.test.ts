import { describe, expect, it } from 'vitest';
import { storageVersion } from '../../../src/exports/kinds.js';
import { readBody, updateErrors } from '../steps.js';

/* Facts of upstream's tables: the reports of servers about the versions that they write, read and serve. */
const metadata = { name: 'apps.deployments' };
const old = readBody(storageVersion, { metadata, spec: {} });
const errorsOf = (status: object) => updateErrors(storageVersion, { metadata, spec: {}, status }, old, 'status');
const AT = 'status.storageVersions[0]';
const SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'";
const LABEL = "a DNS-1035 label must consist of lower case alphanumeric characters or '-'";

describe('versions of one server', () => {
  it.each<readonly [encoding: string, decodable: readonly string[], served: readonly string[], errors: string[]]>([
    ['v1alpha1', ['v1alpha1', 'v1'], ['v1alpha1', 'v1'], []],
    ['apps/v1', ['apps/v1', 'apps/v1beta1'], ['apps/v1'], []],
    ['mygroup.com/v2', ['v1alpha1', 'v1', 'mygroup.com/v2'], ['v1', 'mygroup.com/v2'], []],
    [
      'v1alpha1',
      ['v1beta1', 'v1'],
      [],
      [
        `${AT}.decodableVersions: Invalid value: []string{"v1beta1", "v1"}: decodableVersions must include encodingVersion v1alpha1`,
      ],
    ],
    ['v1', ['v1', '-fea'], [], [`${AT}.decodableVersions[1]: Invalid value: "-fea": version part: ${LABEL}`]],
    ['v1', ['v1', '/v3'], [], [`${AT}.decodableVersions[1]: Invalid value: "/v3": group part: must be non-empty`]],
    ['v1', ['v1', 'a/'], ['v1'], [`${AT}.decodableVersions[1]: Invalid value: "a/": version part: must be non-empty`]],
    [
      'v1',
      ['v1', 'my_group.com/v2'],
      [],
      [`${AT}.decodableVersions[1]: Invalid value: "my_group.com/v2": group part: ${SUBDOMAIN}`],
    ],
    ['/v3', ['/v3'], [], [`${AT}.encodingVersion: Invalid value: "/v3": group part: must be`, `${AT}.decodableV`]],
    [
      'v1',
      ['v1'],
      ['v1', 'a.com/v2/things'],
      [
        `${AT}.servedVersions[1]: Invalid value: "a.com/v2/things": an apiVersion is a DNS-1035 label, which must consist of`,
        `${AT}.servedVersions[1]: Invalid value: "a.com/v2/things": individual served version : a.com/v2/things must be included in decodableVersions : [v1]`,
      ],
    ],
    [
      'v1alpha1',
      ['v1alpha1', 'v1'],
      ['v2'],
      [
        `${AT}.servedVersions[0]: Invalid value: "v2": individual served version : v2 must be included in decodableVersions : [v1alpha1 v1]`,
      ],
    ],
  ])('%s %j %j', async (encodingVersion, decodableVersions, servedVersions, expected) => {
    const storageVersions = [{ apiServerID: 'fea', encodingVersion, decodableVersions, servedVersions }];
    const errors = await errorsOf({ storageVersions, commonEncodingVersion: encodingVersion });
    expect(errors.map((error, i) => error.slice(0, expected[i]?.length))).toEqual(expected);
  });

  it('come once', async () => {
    const one = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'] };
    const found = await errorsOf({
      storageVersions: [one, { ...one, apiServerID: 'b' }, one],
      commonEncodingVersion: 'v1',
    });
    expect(found).toEqual(['status.storageVersions[2].apiServerID: Duplicate value: "a"']);
  });

  it('need a name', async () => {
    const storageVersions = [{ apiServerID: '-fea', encodingVersion: 'v1', decodableVersions: ['v1'] }];
    const [error] = await errorsOf({ storageVersions, commonEncodingVersion: 'v1' });
    expect(error).toContain(`${AT}.apiServerID: Invalid value: "-fea"`);
  });
});

it.each<readonly [versions: readonly string[], common: string | undefined, error: string | undefined]>([
  [[], undefined, undefined],
  [['v1', 'v1'], 'v1', undefined],
  [['v1alpha1', 'v1'], undefined, undefined],
  [[], 'v1', '"v1": should be nil if servers do not agree on the same encoding version, or if there is no server'],
  [['v1', 'v2'], 'v1', '"v1": should be nil if servers do not agree'],
  [['apps/v1', 'apps/v1'], undefined, '"null": the common encoding version is apps/v1'],
  [['v1alpha1', 'v1alpha1'], 'v1', '"v1": the actual common encoding version is v1alpha1'],
])('the common version of %j is not %s', async (versions, commonEncodingVersion, expected) => {
  const storageVersions = versions.map((version, i) => ({
    apiServerID: `s${i}`,
    encodingVersion: version,
    decodableVersions: [version],
  }));
  const errors = await errorsOf({ storageVersions, commonEncodingVersion });
  const text = `status.commonEncodingVersion: Invalid value: ${expected}`;
  expect(errors).toEqual(expected === undefined ? [] : [expect.stringContaining(text)]);
});

it.each<readonly [condition: object, errors: readonly string[]]>([
  [{}, []],
  [{ type: '-fea' }, ['status[1].type: Invalid value: "-fea"']],
  [{ status: '-True' }, ['status[1].status: Invalid value: "-True"']],
  [{ reason: '' }, ['status[1].reason: Required value: reason cannot be empty']],
  [{ message: '' }, ['status[1].message: Required value: message cannot be empty']],
  [
    { type: 'first' },
    [
      'status[1].type: Invalid value: "first": the type of the condition is not unique, it also appears in conditions[0]',
    ],
  ],
])('conditions: %j', async (more, expected) => {
  const one = { type: 'fea', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'r', message: 'm' };
  const errors = await errorsOf({
    conditions: [
      { ...one, type: 'first' },
      { ...one, ...more },
    ],
  });
  expect(errors.map((error, i) => error.slice(0, expected[i]?.length))).toEqual(expected);
});
