import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, type Client, type ConfigMap, configMap, secret } from '../../../src/index.js';
import {
  createFakeClock,
  type FakeClock,
  injectFaults,
  noHotLoop,
  nothingForbidden,
  notReceived,
  noWriteOnStaleRead,
  type RequestLog,
  received,
  recordRequests,
} from '../../../src/testing/index.js';
import { matchers } from '../../../src/testing/vitest/index.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

expect.extend(matchers);

const where = { namespace: 'default' };
const made = (name: string, n = '1') => ({ metadata: { name }, data: { n } });
const masters = ['system:masters'];

let server: ApiServer;
let clock: FakeClock;
let requests: RequestLog;
let client: Client;
let other: Client;

beforeEach(async () => {
  clock = createFakeClock('2030-01-01T00:00:00Z');
  server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped' },
    certificates: { root: false },
  });
  requests = recordRequests(server);
  client = server.client({ userAgent: 'operator', user: { username: 'jane', groups: masters } });
  other = server.client({ userAgent: 'other', user: { username: 'joe', groups: masters } });
});
afterEach(() => server.close());

const failing = (check: () => unknown): string => {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('received', () => {
  it('returns the matching requests, or names the closest ones', async () => {
    await client.create(configMap, made('a'), where);
    await other.create(configMap, made('b'), where);
    expect(received(requests, { verb: 'create', name: 'a', status: 201 })).toEqual([requests.get(1)]);
    expect(received(requests, { resource: 'configmaps' }, { times: 2 })).toHaveLength(2);
    received(requests, { user: 'joe' }, { atLeast: 1 });
    received(requests, { user: 'nobody' }, { times: 0 });
    expect(failing(() => received(requests, { verb: 'create', resource: 'configmaps', name: 'c', user: 'joe' }))).toBe(
      'expected at least 1 request with verb create, resource configmaps, name c, user joe, but received 0 of 2\n' +
        '  nearest:\n' +
        '    #2 create configmaps default/b by joe (other): 201, but name is b',
    );
    expect(failing(() => received(requests, { verb: 'create', status: 409 }, { atLeast: 2 }))).toContain(
      'expected at least 2 requests with verb create, status 409, but received 0 of 2\n',
    );
    expect(failing(() => received(requests, { verb: 'create' }, { times: 1 }))).toBe(
      'expected 1 request with verb create, but received 2 of 2\n' +
        '  #1  create  configmaps default/a  jane (operator)  201\n' +
        '  #2  create  configmaps default/b  joe (other)      201',
    );
    requests.clear();
    expect(failing(() => received(requests, {}))).toContain('there was no request at all');
  });

  it('refuses counts that contradict each other, and options that do not exist', () => {
    expect(() => received(requests, {}, { times: 1, atLeast: 1 })).toThrow('give times or atLeast, not both');
    expect(() => received(requests, {}, { times: -1 })).toThrow('times must be an integer of at least 0');
    expect(() => received(requests, {}, { atMost: 1 } as object)).toThrow('there is no option atMost');
  });

  it('shows hostile names quoted and cut', async () => {
    const path = `/api/v1/namespaces/default/configmaps/a%0A%1b%5b31mred${'x'.repeat(500)}`;
    const admin = { user: { username: 'eve\nroot', groups: masters } };
    await fetchFrom(server, path, { headers: { 'user-agent': 'u'.repeat(2000) }, ...admin });
    const text = failing(() => notReceived(requests, {}));
    expect(text).toContain('"eve\\nroot"');
    expect(text).toContain('\\n\\x1b[31mred');
    expect(text.split('\n')).toHaveLength(2);
    expect(text.length).toBeLessThan(800);
  });
});

describe('notReceived and nothingForbidden', () => {
  it('list the requests that occurred', async () => {
    await client.create(configMap, made('a'), where);
    notReceived(requests, { verb: 'delete' });
    nothingForbidden(requests);
    expect(failing(() => notReceived(requests, { verb: 'create' }))).toBe(
      'expected no request with verb create, but received 1:\n  #1  create  configmaps default/a  jane (operator)  201',
    );
    const eve = server.client({ user: { username: 'eve' }, userAgent: 'x' });
    for (let i = 0; i < 2; i++) await eve.get(configMap, 'a', where).catch(() => {});
    expect(failing(() => nothingForbidden(requests))).toBe(
      'expected nothing forbidden, but there were refusals:\n' +
        '  eve (x) cannot get configmaps default/a: configmaps "a" is forbidden: User "eve" cannot get resource "configmaps"' +
        ' in API group "" in the namespace "default" (2 times)',
    );
    nothingForbidden(requests, { user: 'jane' });
  });
});

describe('noHotLoop', () => {
  const rewrite = async () => {
    const current = await client.get(configMap, 'a', where);
    await client.replace(configMap, current, where);
  };

  it('finds updates that change nothing, by the clock of the server', async () => {
    await client.create(configMap, made('a'), where);
    for (let i = 0; i < 14; i++) await rewrite();
    noHotLoop(requests);
    await rewrite();
    expect(failing(() => noHotLoop(requests))).toMatch(
      /^expected no hot loop, but\n {2}jane \(operator\) sent 15 times update configmaps default\/a within 0 ms: nothing changed\n {4}… 5 before\n/,
    );
    expect(failing(() => noHotLoop(requests, { times: 2 }))).not.toBe('');
    noHotLoop(requests, { match: { user: 'joe' } });
    requests.clear();
    for (let i = 0; i < 30; i++) {
      clock.advance(1000);
      await rewrite();
    }
    noHotLoop(requests);
    expect(failing(() => noHotLoop(requests, { within: 20_000 }))).toContain('nothing changed');
  });

  it('starts again when the object was changed', async () => {
    await client.create(configMap, made('a'), where);
    for (let i = 0; i < 30; i++) {
      await rewrite();
      if (i % 10 === 0) await other.update(configMap, 'a', (draft) => void (draft.data = { n: `${i}` }), where);
    }
    noHotLoop(requests);
  });

  it('finds requests that fail in the same way again and again, but not a backoff', async () => {
    for (let i = 0; i < 15; i++) await client.get(configMap, 'none', where).catch(() => {});
    expect(failing(() => noHotLoop(requests))).toContain('within 0 ms: each failed with 404 NotFound');
    requests.clear();
    for (let wait = 5; wait < 1_000_000; wait *= 2) {
      await client.get(configMap, 'none', where).catch(() => {});
      clock.advance(wait);
    }
    noHotLoop(requests);
  });

  it("finds two clients that revert each other's changes", async () => {
    await client.create(configMap, made('a'), where);
    for (let i = 0; i < 15; i++) {
      await client.patch(configMap, 'a', { data: { n: 'mine' } }, where);
      await other.patch(configMap, 'a', { data: { n: 'yours' } }, where);
    }
    const text = failing(() => noHotLoop(requests));
    expect(text).toContain('jane (operator) sent 15 times patch configmaps default/a within 0 ms: each wrote the same');
    expect(text).toContain('joe (other) sent 15 times');
  });

  describe('with a client that writes the time of its last visit', () => {
    /** Follows all ConfigMaps, and reacts to each event until the given one. */
    const follow = async (react: (map: ConfigMap) => unknown, until: (map: ConfigMap, events: number) => boolean) => {
      let events = 0;
      for await (const { object } of client.watch(configMap, where)) {
        await react(object);
        if (until(object, ++events)) return;
      }
    };
    const visit = (name: string, data: string) => client.patch(configMap, name, { data: { n: data } }, where);

    it('finds the writes that its own previous writes cause', async () => {
      await other.create(configMap, made('a'), where);
      let visits = 0;
      await follow(
        () => visit('a', `at ${++visits}`),
        (_, events) => events === 15,
      );
      noHotLoop(requests);
      requests.clear();
      await follow(
        () => visit('a', `at ${++visits}`),
        (_, events) => events === 16,
      );
      expect(failing(() => noHotLoop(requests))).toMatch(
        /jane \(operator\) sent 15 times patch configmaps default\/a within 0 ms: each reacted to the event of the one before\n/,
      );
    });

    it('accepts a write for each object that another client has written, and writes that no event causes', async () => {
      const names = Array.from({ length: 20 }, (_, i) => `source-${i}`);
      await other.create(configMap, made('a'), where);
      const following = follow(
        ({ metadata: { name = '' } }) => name !== 'a' && visit('a', `after ${name}`),
        ({ data }) => data?.['n'] === 'after source-19',
      );
      for (const name of names) await other.create(configMap, made(name), where);
      await following;
      noHotLoop(requests);
      for (const name of names) await visit('a', name);
      noHotLoop(requests);
    });
  });

  it('refuses thresholds that no loop can exceed', () => {
    expect(() => noHotLoop(requests, { times: 1 })).toThrow('times must be an integer of at least 2');
    expect(() => noHotLoop(requests, { within: Number.NaN })).toThrow('within must be a number of milliseconds');
  });
});

describe('noWriteOnStaleRead', () => {
  const change = (n: string) => other.update(configMap, 'a', (draft) => void (draft.data = { n }), where);
  const overwrite = () =>
    client.replace(
      configMap,
      { apiVersion: 'v1', kind: 'ConfigMap', ...made('a', 'mine') } as unknown as ConfigMap,
      where,
    );

  beforeEach(async () => void (await other.create(configMap, made('a'), where)));

  it('finds an unconditional write over a version that its client has not read', async () => {
    const { metadata } = await client.get(configMap, 'a', where);
    const { metadata: newer } = await change('2');
    noWriteOnStaleRead(requests);
    await overwrite();
    expect(failing(() => noWriteOnStaleRead(requests))).toBe(
      'expected no write on a stale read, but\n' +
        `  #5 jane (operator): update configmaps default/a without a resourceVersion replaced version ${newer.resourceVersion},` +
        ` and the last that it had read was ${metadata.resourceVersion}`,
    );
    noWriteOnStaleRead(requests, { user: 'joe' });
  });

  it.each([
    ['patches', () => client.patch(configMap, 'a', { data: { n: '3' } }, where)],
    ['deletions', () => client.delete(configMap, 'a', where)],
  ])('finds %s', async (_, write) => {
    await client.list(configMap, where);
    await change('2');
    await write();
    expect(failing(() => noWriteOnStaleRead(requests))).toContain('without a resourceVersion replaced version');
  });

  it.each([
    ['type equals that of the object', 'type=Opaque', true],
    ['type equals another', 'type=other', false],
    ['type excludes that of the object', 'type!=Opaque', false],
  ])('knows by its field selector whether a list contained the object: %s', async (_, fieldSelector, isRead) => {
    await other.create(secret, { metadata: { name: 's' }, type: 'Opaque' }, where);
    await client.list(secret, { ...where, fieldSelector });
    await other.patch(secret, 's', { metadata: { labels: { n: '2' } } }, where);
    await client.patch(secret, 's', { metadata: { labels: { n: '3' } } }, where);
    if (isRead) expect(failing(() => noWriteOnStaleRead(requests))).toContain('patch secrets default/s');
    else noWriteOnStaleRead(requests);
  });

  it('accepts writes that are not based on a stale read', async () => {
    // The client has never read the object, so the check cannot know whether it is stale.
    await overwrite();
    // A client knows the versions that it has written itself.
    await overwrite();
    await client.patch(configMap, 'a', { data: { n: '4' } }, where);
    // A write with a resourceVersion cannot overwrite unseen changes, because it fails with a conflict.
    const read = await client.get(configMap, 'a', where);
    await change('2');
    await expect(client.replace(configMap, { ...read, data: {} }, where)).rejects.toMatchObject({ code: 409 });
    // A write that changes nothing overwrites nothing.
    await client.patch(configMap, 'a', { data: { n: '2' } }, where);
    // A dry run overwrites nothing.
    await change('3');
    await client.patch(configMap, 'a', { data: { n: '4' } }, { ...where, dryRun: true });
    // An apply does not overwrite the fields of other managers.
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { other: 'x' } };
    await client.apply(configMap, applied, { ...where, fieldManager: 'operator' });
    // A list without this object does not show the change; a later list that contains it does.
    await change('5');
    await client.list(configMap, { ...where, labelSelector: 'x=y' });
    await client.list(configMap, { ...where, fieldSelector: 'metadata.name=b' });
    await client.list(configMap);
    await overwrite();
    noWriteOnStaleRead(requests);
  });

  it.each([
    ['a deletion', () => client.delete(configMap, 'b', where)],
    ['the deletion of a collection', () => client.deleteCollection(configMap, where)],
  ])('accepts a write of an object that finalizers keep after %s by the same client', async (_, remove) => {
    const { metadata } = made('b');
    await client.create(configMap, { metadata: { ...metadata, finalizers: ['example.com/held'] } }, where);
    await remove();
    await client.patch(configMap, 'b', { metadata: { finalizers: null } }, where);
    noWriteOnStaleRead(requests);
  });

  it('finds a write of an object that was created anew under the name of the one that its client has read', async () => {
    const anew = async () => {
      await other.delete(configMap, 'a', where);
      return await other.create(configMap, made('a'), where);
    };
    const { metadata } = await client.get(configMap, 'a', where);
    const { metadata: newer } = await anew();
    await client.delete(configMap, 'a', where);
    expect(failing(() => noWriteOnStaleRead(requests))).toContain(
      `delete configmaps default/a without a resourceVersion replaced version ${newer.resourceVersion},` +
        ` and version ${metadata.resourceVersion}, which it had read, was another object`,
    );
    requests.clear();
    // A client that knows of the deletion does not take the new object for the old one.
    await other.create(configMap, made('a'), where);
    await client.get(configMap, 'a', where);
    await other.delete(configMap, 'a', where);
    await client.get(configMap, 'a', where).catch(() => {});
    await other.create(configMap, made('a'), where);
    await client.delete(configMap, 'a', where);
    await other.create(configMap, made('a'), where);
    await client.delete(configMap, 'a', where);
    // The precondition lets such a deletion fail.
    const { metadata: read } = await other.create(configMap, made('a'), where);
    await client.get(configMap, 'a', where);
    await anew();
    const preconditions = { uid: read.uid ?? '' };
    await expect(client.delete(configMap, 'a', { ...where, preconditions })).rejects.toMatchObject({ code: 409 });
    noWriteOnStaleRead(requests);
  });

  it('does not take the next page of a list for an older reading of an object', async () => {
    await other.create(configMap, made('b'), where);
    const page = await client.list(configMap, { ...where, limit: 1 });
    await change('2');
    await client.get(configMap, 'a', where);
    await client.list(configMap, { ...where, limit: 1, continue: page.metadata.continue ?? '' });
    await client.patch(configMap, 'a', { data: { n: '3' } }, where);
    noWriteOnStaleRead(requests);
    await change('4');
    await client.patch(configMap, 'a', { data: { n: '5' } }, where);
    expect(failing(() => noWriteOnStaleRead(requests))).toContain('patch configmaps default/a');
  });

  it('considers the events that a watch has delivered, and stale reads', async () => {
    const { metadata } = await client.list(configMap, where);
    const watch = client.watch(configMap, { ...where, resourceVersion: metadata.resourceVersion ?? '' });
    await watch.opened();
    const events = watch[Symbol.asyncIterator]();
    await change('2');
    await events.next();
    await overwrite();
    await events.next();
    noWriteOnStaleRead(requests);
    await change('3');
    await overwrite();
    expect(failing(() => noWriteOnStaleRead(requests))).toContain('update configmaps default/a');
    watch.close();

    requests.clear();
    using faults = injectFaults(server);
    await client.get(configMap, 'a', where);
    faults.on({ verb: 'get', user: 'jane' }).stale(1);
    await client.get(configMap, 'a', where);
    await overwrite();
    noWriteOnStaleRead(requests, { user: 'joe' });
    await change('4');
    faults.on({ verb: 'get', user: 'jane' }).stale(1);
    await client.get(configMap, 'a', where);
    await overwrite();
    expect(failing(() => noWriteOnStaleRead(requests))).toContain('jane (operator)');
  });
});

describe('the matchers of vitest', () => {
  it('read as sentences, and print the requests that occurred', async () => {
    const { status: _, ...pod } = { status: {}, metadata: { name: 'p' }, kind: 'Pod', apiVersion: 'v1' };
    await client.create(configMap, made('a'), where);
    expect(requests).toHaveReceived({ verb: 'create' });
    expect(requests).toHaveReceived({ verb: 'create' }, { times: 1 });
    expect(requests).not.toHaveReceived({ verb: 'create' }, { times: 2 });
    expect(requests).not.toHaveReceived({ verb: 'delete' });
    expect(requests).toHaveNothingForbidden();
    expect(requests).toHaveNoHotLoop();
    expect(requests).toHaveNoWriteOnStaleRead();
    await expect(client).toHaveObject(configMap, 'a', where);
    await expect(client).not.toHaveObject(configMap, 'b', where);
    const ready = { ...pod, status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Waiting' }] } };
    expect(ready).toHaveCondition('Ready', 'False');
    expect(ready).not.toHaveCondition('Ready');

    expect(failing(() => expect(requests).not.toHaveReceived({ verb: 'create' }))).toContain('expected no request');
    expect(failing(() => expect(requests).toHaveReceived({ verb: 'delete' }))).toContain('nearest');
    expect(failing(() => expect(ready).toHaveCondition('Ready'))).toBe(
      'expected Pod p to have the condition Ready=True; it has Ready=False (Waiting)',
    );
    expect(failing(() => expect(pod).toHaveCondition('Ready'))).toContain('it has none');
    expect(failing(() => expect(undefined).toHaveCondition('Ready'))).toContain(
      'toHaveCondition: the value must be an object of the API, not undefined',
    );
    expect(failing(() => expect(requests).not.toHaveReceived({ verbs: 'x' } as object))).toContain('no option verbs');
    await expect(expect(client).toHaveObject(configMap, 'b', where)).rejects.toThrow('does not exist');
    await expect(expect(client).not.toHaveObject(configMap, 'a', where)).rejects.toThrow('but it exists');
  });
});
