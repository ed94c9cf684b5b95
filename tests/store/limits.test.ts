import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { History } from '../../src/store/history.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { requestsTo } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MINUTES = 60_000;

const record = (revision: number, time: number, bytes = 0) => ({
  event: { revision } as never,
  before: undefined,
  time,
  bytes,
});

describe('the history (spec 4.17)', () => {
  it.each([
    [5 * MINUTES, false],
    [5 * MINUTES + 1, true],
  ])('keeps an event for 5 minutes: after %i ms, it is dropped: %j', (age, dropped) => {
    const history = new History(1);
    history.push(record(2, 0));
    expect(history.trim(age)).toBe(dropped);
  });

  it.each([
    [100_000, false],
    [100_001, true],
  ])('keeps 100,000 events: of %i, some are dropped: %j', (count, dropped) => {
    const history = new History(1);
    for (let i = 0; i < count; i++) history.push(record(i + 2, 0));
    expect(history.trim(0)).toBe(dropped);
  });

  it.each([
    [0, false],
    [1, true],
  ])('keeps 256 MiB: with %i bytes more, some are dropped: %j', (more, dropped) => {
    const history = new History(1);
    history.push(record(2, 0, 256 * 1024 * 1024 + more));
    expect(history.trim(0)).toBe(dropped);
  });
});

describe.each(['orch', 'k8s'] as const)('an old version in %s', (dialect) => {
  it('is listed exactly, and continued, for 5 minutes, and is 410 half a minute later', async () => {
    const clock = createFakeClock();
    await using server = await startServer({
      dialect,
      clock,
      controllers: [],
      authentication: [anonymous()],
      authorization: [alwaysAllow()],
    });
    const { get, post } = requestsTo(server);
    for (const name of ['a', 'b']) await post(MAPS, { metadata: { name } });
    const first = await get(`${MAPS}?limit=1`);
    const { resourceVersion, continue: token } = first.value.metadata;
    await post(MAPS, { metadata: { name: 'c' } });
    const exact = `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
    const pages = [exact, `limit=1&continue=${token}`];
    const statuses = () => Promise.all(pages.map(async (query) => (await get(`${MAPS}?${query}`)).status));
    clock.advance(5 * MINUTES);
    expect(await statuses()).toEqual([200, 200]);
    clock.advance(MINUTES / 2 + 1);
    expect(await statuses()).toEqual([410, 410]);
    const { message } = await get(`${MAPS}?${exact}`);
    expect(message).toContain('The resourceVersion for the provided list is too old');
  });
});
