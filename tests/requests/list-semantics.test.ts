import { beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// The meaning of versions, matches and pages for reads in `orch` (spec 4.1 to 4.7, 19.1).
const MAPS = '/api/v1/namespaces/default/configmaps';
const server = openSuiteServer({ dialect: 'orch' });
const { get, post, put, remove } = requestsTo(server);
/** The version at which a and b existed; c was created later. */
let old: string;
beforeAll(async () => {
  for (const name of ['a', 'b']) await create(name);
  old = (await get(MAPS)).value.metadata.resourceVersion;
  await create('c');
});

const create = (name: string) => post(MAPS, { metadata: { name, labels: { name } } });

/** The names of a list, or the status of a refusal. */
async function names(query: string): Promise<string | number> {
  const { status, value } = await get(`${MAPS}?${query}`);
  if (status !== 200) return status;
  return value.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).join('');
}
/** Returns the token of a list that began when a and b existed. */
const token = async () =>
  (await get(`${MAPS}?limit=1&resourceVersion=${old}&resourceVersionMatch=Exact`)).value.metadata.continue;

describe('a list', () => {
  // In a single server, the newest version is at least as new as any requested one.
  it.each<[match: string, paging: string, unset: string | number, zero: string | number, other: string | number]>([
    ['', '', 'abc', 'abc', 'abc'],
    // Version 0 returns the complete list at once.
    ['', 'limit=2', 'ab', 'abc', 'ab'],
    ['Exact', '', 400, 400, 'ab'],
    ['Exact', 'limit=5', 400, 400, 'ab'],
    ['NotOlderThan', '', 400, 'abc', 'abc'],
    ['NotOlderThan', 'limit=5', 400, 'abc', 'abc'],
  ])(
    'with match %j and paging %j is %j, for version 0 %j, for another %j',
    async (match, paging, unset, zero, other) => {
      const queryOf = (version: string) =>
        [match && `resourceVersionMatch=${match}`, paging, version && `resourceVersion=${version}`]
          .filter((part) => part !== '')
          .join('&');
      expect([await names(queryOf('')), await names(queryOf('0')), await names(queryOf(old))]).toEqual([
        unset,
        zero,
        other,
      ]);
    },
  );

  it('with a limit and a version has that version', async () => {
    expect(await names(`limit=5&resourceVersion=${old}`)).toBe('ab');
    expect(await names('limit=5')).toBe('abc');
  });

  it('that continues has the version of its token, and accepts no other version', async () => {
    const page = `limit=5&continue=${await token()}`;
    expect(await names(page)).toBe('b');
    expect((await get(`${MAPS}?${page}`)).value.metadata.resourceVersion).toBe(old);
    expect(await names(`${page}&resourceVersion=0`)).toBe('b');
    expect(await get(`${MAPS}?${page}&resourceVersion=${old}`)).toMatchObject({
      status: 400,
      message: expect.stringContaining('specifying resource version is not allowed when using continue'),
    });
  });

  it.each(['newest', 'Exac', 'NotOlderThan '])(
    'accepts two values of resourceVersionMatch, but not %j',
    async (match) => {
      expect(await names(`resourceVersion=${old}&resourceVersionMatch=${encodeURIComponent(match)}`)).toBe(400);
    },
  );

  it('returns its version: exactly the requested one, or at least that', async () => {
    const versionOf = async (match: string) =>
      (await get(`${MAPS}?resourceVersion=${old}&resourceVersionMatch=${match}`)).value.metadata.resourceVersion;
    expect(await versionOf('Exact')).toBe(old);
    expect(Number(await versionOf('NotOlderThan'))).toBeGreaterThan(Number(old));
  });

  it('returns the number of remaining items, unless it has a selector, is complete or is the last page', async () => {
    const metadataOf = async (query: string) => {
      const { continue: more, remainingItemCount } = (await get(`${MAPS}?${query}`)).value.metadata;
      return [typeof more, remainingItemCount];
    };
    expect(await metadataOf('limit=1')).toEqual(['string', 2]);
    expect(await metadataOf('limit=1&labelSelector=name')).toEqual(['string', undefined]);
    expect(await metadataOf('')).toEqual(['undefined', undefined]);
    expect(await metadataOf('limit=3')).toEqual(['undefined', undefined]);
  });

  it('in pages is one list of one version, whatever is written meanwhile', async () => {
    const seen: string[] = [];
    const versions = new Set<string>();
    let query = 'limit=1';
    for (let page = 0; page < 3; page++) {
      const { value } = await get(`${MAPS}?${query}`);
      seen.push(...value.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name));
      versions.add(value.metadata.resourceVersion);
      query = `limit=1&continue=${value.metadata.continue}`;
      expect(value.metadata.continue === undefined).toBe(page === 2);
      await create(`later-${page}`);
    }
    expect([seen, versions.size]).toEqual([['a', 'b', 'c'], 1]);
    for (let page = 0; page < 3; page++) await remove(`${MAPS}/later-${page}`);
  });

  it('is filtered by labels and fields, and so is a deletion of a collection', async () => {
    await create('chosen');
    for (const query of ['labelSelector=name%3Dchosen', 'fieldSelector=metadata.name%3Dchosen']) {
      expect(await names(query)).toBe('chosen');
      expect((await remove(`${MAPS}?${query}&dryRun=All`)).status).toBe(200);
    }
    await remove(`${MAPS}?labelSelector=name%3Dchosen`);
    expect(await names('labelSelector=name%3Dchosen')).toBe('');
    expect(await names('fieldSelector=metadata.name%3Da')).toBe('a');
  });
});

describe('a get', () => {
  it('returns the newest object, at least as new as the requested version', async () => {
    const found = async (query: string) => (await get(`${MAPS}/c?${query}`)).status;
    for (const query of ['', 'resourceVersion=0', `resourceVersion=${old}`]) expect(await found(query)).toBe(200);
    expect(await found('resourceVersion=99999999&timeout=10ms')).toBe(504);
    const late = await get(`${MAPS}/c?resourceVersion=99999999&timeout=10ms`);
    expect(late.message).toContain('Too large resource version');
    expect(late.value.details.causes[0]).toMatchObject({ reason: 'ResourceVersionTooLarge' });
  });

  it('returns a version that the client sends back unchanged', async () => {
    const { value } = await get(`${MAPS}/a`);
    expect(typeof value.metadata.resourceVersion).toBe('string');
    const putAt = (resourceVersion: string) =>
      put(`${MAPS}/a`, { ...value, metadata: { ...value.metadata, resourceVersion } });
    const same = await putAt(value.metadata.resourceVersion);
    // Nothing changed, so the version did not change either.
    expect([same.status, same.value.metadata.resourceVersion]).toEqual([200, value.metadata.resourceVersion]);
    expect((await putAt('1')).status).toBe(409);
  });
});
