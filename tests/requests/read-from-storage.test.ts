import { beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// Requests that upstream answers from etcd, because its cache has no pages (k8s).
const MAPS = '/api/v1/namespaces/default/configmaps';
const server = openSuiteServer();
const { get, post } = requestsTo(server);
let old: string;
beforeAll(async () => {
  await post(MAPS, { metadata: { name: 'a' } });
  old = (await get(MAPS)).value.metadata.resourceVersion;
  await post(MAPS, { metadata: { name: 'b' } });
});

describe('a list with a limit', () => {
  it('is not exact if its selector names one object, which is read like a single object', async () => {
    const { value } = await get(`${MAPS}?limit=1&resourceVersion=${old}&fieldSelector=metadata.name=b`);
    expect(value.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['b']);
    expect(Number(value.metadata.resourceVersion)).toBeGreaterThan(Number(old));
    const all = `/api/v1/configmaps?limit=1&resourceVersion=${old}&fieldSelector=metadata.name=b`;
    expect((await get(all)).value).toMatchObject({ metadata: { resourceVersion: old }, items: [] });
  });

  it.each([
    'limit=1&resourceVersion=9000000000&resourceVersionMatch=NotOlderThan',
    'limit=1&resourceVersion=9000000000&fieldSelector=metadata.name=b',
  ])('is refused at once if it must be at least a future version: %s', async (query) => {
    const { status, headers, value } = await get(`${MAPS}?${query}`);
    expect([status, value.reason, headers['retry-after']]).toEqual([504, 'Timeout', undefined]);
    expect(value.message).toMatch(/^Timeout: Too large resource version: 9000000000, current: \d+$/);
    const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
    expect(value.details).toEqual({ causes });
  });

  it.each([
    ['9223372036854775807', 500, /^etcdserver: mvcc: required revision is a future revision$/],
    ['9223372036854775808', 504, /^Timeout: Too large resource version: 9223372036854775808, current: \d+$/],
    ['18446744073709551615', 504, /^Timeout: Too large resource version: 18446744073709551615, current: \d+$/],
  ])('at version %s is %j, because versions beyond 63 bits overflow', async (version, code, message) => {
    for (const query of ['limit=1', 'resourceVersionMatch=Exact']) {
      const { status, value } = await get(`${MAPS}?${query}&resourceVersion=${version}`);
      expect([status, value.message]).toEqual([code, expect.stringMatching(message)]);
    }
  });
});
