import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/meta/query.js';
import { parseRequestInfo } from '../../src/requests/request-info.js';
import { cases, hasSharedData } from '../support/shared-data.js';

const infoOf = (url: string, method = 'GET') => {
  const [path = '', query = ''] = url.split('?', 2);
  return parseRequestInfo(method, path, parseQuery(query));
};

describe.skipIf(!hasSharedData)("request info: the upstream's tables (skipped where the shared data is absent)", () => {
  interface Success {
    readonly method: string;
    readonly url: string;
    readonly expectedVerb: string;
    readonly expectedAPIGroup: string;
    readonly expectedAPIVersion: string;
    readonly expectedNamespace: string;
    readonly expectedResource: string;
    readonly expectedSubresource: string;
    readonly expectedName: string;
    readonly expectedParts: readonly string[];
  }
  const successes = cases<Success[]>('auth-requestinfo', 'TestGetAPIRequestInfo', 'successCases');
  it.each(successes)('$method $url', (c) =>
    expect(infoOf(c.url, c.method)).toMatchObject({
      resourceRequest: true,
      verb: c.expectedVerb,
      group: c.expectedAPIGroup,
      version: c.expectedAPIVersion,
      namespace: c.expectedNamespace,
      resource: c.expectedResource,
      subresource: c.expectedSubresource,
      name: c.expectedName,
      parts: c.expectedParts,
    }),
  );

  const errors = Object.entries(
    cases<Record<string, string>>('auth-requestinfo', 'TestGetAPIRequestInfo', 'errorCases'),
  );
  it.each(errors)('is not a resource: %s', (_, url) => expect(infoOf(url).resourceRequest).toBe(false));

  const others = Object.entries(
    cases<Record<string, { url: string; expected: boolean }>>('auth-requestinfo', 'TestGetNonAPIRequestInfo', 'tests'),
  );
  it.each(others)('%s', (_, { url, expected }) => expect(infoOf(url).resourceRequest).toBe(expected));

  // The selectors are not authorized here, because that is an alpha feature of 1.31 and off by default.
  const selected = cases<{ name: string; method: string; url: string; expectedName?: string; expectedVerb: string }[]>(
    'auth-requestinfo',
    'TestSelectorParsing',
    'tests',
  );
  it.each(selected)('$name', ({ method, url, expectedName = '', expectedVerb }) =>
    expect(infoOf(url, method)).toMatchObject({ verb: expectedVerb, name: expectedName }),
  );
});

it.each([
  ['fieldSelector=metadata.name%3Da', 'a'],
  ['fieldSelector=metadata.name%3Da&limit=1', 'a'],
  ['fieldSelector=metadata.name%3Da&limit=x', ''],
  ['fieldSelector=metadata.name%3Da&timeoutSeconds=', ''],
  ['fieldSelector=metadata.name%3Da&labelSelector=a%20b', ''],
])('a list with %s is authorized for the name "%s"', (query, name) =>
  expect(infoOf(`/api/v1/namespaces/default/configmaps?${query}`)).toMatchObject({ verb: 'list', name }),
);
