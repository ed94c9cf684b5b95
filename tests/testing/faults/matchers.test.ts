import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap, namespace, secret } from '../../../src/index.js';
import { type Faults, injectFaults } from '../../../src/testing/index.js';
import { made, startFaulty, where } from './start-faulty.js';

let server: ApiServer;
let faults: Faults;

beforeEach(async () => {
  ({ server, faults } = await startFaulty());
});
afterEach(() => server.close());

describe('a matcher', () => {
  it('selects by request and by client', async () => {
    const one = server.client({ userAgent: 'one/1.0' });
    const jane = server.client({ user: { username: 'jane', groups: ['system:masters'] }, userAgent: 'two' });
    await one.create(configMap, made('a'), where);
    const byAgent = faults.on({ userAgent: 'one/*', name: ['a', 'b'], verb: 'get' }).answer(500);
    await jane.get(configMap, 'a', where);
    await expect(one.get(configMap, 'a', where)).rejects.toMatchObject({ code: 500 });
    const byUser = faults.on({ user: 'jane', group: '', version: 'v1', path: '/api/v1/namespaces/*' }).answer(503);
    await one.get(configMap, 'a', where);
    await expect(jane.get(configMap, 'a', where)).rejects.toMatchObject({ code: 503 });
    const ofPart = faults.on({ resource: 'namespaces/status' }).answer(403);
    await one.get(namespace, 'default');
    await expect(one.get(namespace, 'default', { subresource: 'status' })).rejects.toMatchObject({ code: 403 });
    expect([byAgent.fired, byUser.fired, ofPart.fired]).toEqual([1, 1, 1]);
    faults.verify();
  });

  it('counts: the nth request, several of them, a number of times, always', async () => {
    const client = server.client();
    const outcome = async () => {
      const asked = await client.list(namespace).catch((error: { code: number }) => error.code);
      return typeof asked === 'number';
    };
    const outcomes = async (times: number) => {
      const all: boolean[] = [];
      for (let i = 0; i < times; i++) all.push(await outcome());
      return all;
    };
    faults.on({ verb: 'list', nth: 3 }).answer(500);
    expect(await outcomes(4)).toEqual([false, false, true, false]);
    faults.on({ verb: 'list', nth: [1, 3] }).answer(500);
    expect(await outcomes(4)).toEqual([true, false, true, false]);
    faults.on({ verb: 'list' }, { times: 2 }).answer(500);
    expect(await outcomes(3)).toEqual([true, true, false]);
    const always = faults.on({ verb: 'list' }, { times: 'always' }).answer(500);
    expect(await outcomes(2)).toEqual([true, true]);
    always.end();
    expect(await outcomes(1)).toEqual([false]);
  });

  it('counts requests that an earlier fault has answered, so that a sequence of faults can be given by numbers', async () => {
    faults.on({ verb: 'list', nth: [1, 2] }).answer(429);
    faults.on({ verb: 'list', nth: 3 }).answer(503);
    faults.on({ verb: 'list', nth: 5 }).refuse();
    const outcomes: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      const listed = server.client().list(namespace);
      outcomes.push(await listed.then(() => 'listed').catch((error: { code?: number }) => error.code ?? 'lost'));
    }
    expect(outcomes).toEqual([429, 429, 503, 'listed', 'lost', 'listed']);
    faults.verify();
  });

  it('selects at random by the seed', async () => {
    const draw = async () => {
      faults[Symbol.dispose]();
      faults = injectFaults(server, { seed: 7 });
      faults.on({ verb: 'list', probability: 0.5 }).answer(500);
      const all: boolean[] = [];
      for (let i = 0; i < 20; i++)
        all.push(
          await server
            .client()
            .list(namespace)
            .then(
              () => false,
              () => true,
            ),
        );
      return all;
    };
    const first = await draw();
    expect(first).toContain(true);
    expect(first).toContain(false);
    expect(await draw()).toEqual(first);
  });

  it('does not match the observer, and the server itself only if it is named', async () => {
    const all = faults.on({}, { times: 'always' }).answer(500);
    await expect(server.client().list(namespace)).rejects.toMatchObject({ code: 500 });
    await faults.observer().create(namespace, { metadata: { name: 'a' } });
    await server.settle();
    expect(all.fired).toBe(1);
    all.end();
    const ofController = faults.on({
      userAgent: 'kube-controller-manager',
      verb: 'create',
      resource: 'serviceaccounts',
    });
    const refused = ofController.answer(500);
    await faults.observer().create(namespace, { metadata: { name: 'b' } });
    await server.settle();
    expect(refused.fired).toBe(1);
  });

  it('refuses invalid values', () => {
    const wrong: [() => unknown, string][] = [
      [
        () => faults.on({ verb: 'create' }).dropBookmarks(),
        'dropBookmarks applies only to watch, so that no create can meet it',
      ],
      [() => faults.on({ verb: ['create', 'update'] }).stale(1), 'applies only to get, list, watch'],
      [() => faults.on({ verbs: 'get' } as object).refuse(), 'there is no option verbs; did you mean "verb"?'],
      [() => faults.on({ nth: 0 }).refuse(), 'match.nth must be an integer'],
      [() => faults.on({ nth: 2 }, { times: 2 }).refuse(), 'omit times'],
      [() => faults.on({ probability: 2 }).refuse(), 'match.probability'],
      [() => faults.on({ name: [] }).refuse(), 'match.name must be a string'],
      [() => faults.on({}, { times: 0 }).refuse(), 'times must be an integer'],
      [() => faults.on({}).answer(418 as 500), 'status must be one of 401, 403'],
      [() => faults.on({}).delay(-1), 'milliseconds'],
      [() => faults.on({}).stale({ resourceVersion: 'x' }), 'resourceVersion must be a version, not "x"'],
      [
        () => faults.add({ match: {}, action: { type: 'explode' as 'hold' } }),
        'a fault must have an action, one of answer,',
      ],
      [
        () => faults.add({ match: {}, action: { type: ['hold'] as never } }),
        'a fault must have an action, one of answer,',
      ],
      [() => injectFaults(server), 'the server already has faults'],
    ];
    for (const [make, message] of wrong) expect(make).toThrow(message);
    expect(faults.list()).toEqual([]);
  });
});

describe('a fault that never fired', () => {
  it('fails the test, with the closest request', async () => {
    const client = server.client({ userAgent: 'my-operator' });
    faults.on({ verb: 'update', resource: 'deployments' }).conflict();
    expect(() => faults.verify()).toThrow(
      'a fault never fired:\n  verb update, resource deployments: answer status 409\n',
    );
    expect(() => faults.verify()).toThrow('there was no request at all');
    await client.create(configMap, made('a'), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
    await client.update(configMap, 'a', (draft) => void (draft.data = { n: '3' }), where);
    expect(() => faults.verify()).toThrow(
      'seen: update configmaps default/a by system:apiserver, but resource is "configmaps" (2 times)',
    );
    faults.clear();
    faults.on({ verb: 'get', nth: 3 }).refuse();
    for (let i = 0; i < 2; i++) await client.get(configMap, 'a', where);
    expect(() => faults.verify()).toThrow('2 matching requests came, and none was number 3');
    faults.on({ verb: 'get' }, { optional: true }).refuse();
    expect(() => faults.verify()).toThrow('a fault never fired');
    faults.clear();
    faults.on({ verb: 'list', nth: 1 }).answer(503);
    faults.on({ verb: 'list', nth: 1 }).refuse();
    await expect(client.list(configMap, where)).rejects.toMatchObject({ code: 503 });
    expect(() => faults.verify()).toThrow(
      '1 matching request came, and it had no effect on number 1: an earlier fault decided the outcome, or',
    );
    faults.clear();

    // Requests that came before the fault was set up do not count.
    faults.on({ verb: 'get', name: 'a' }).refuse();
    await expect(client.get(configMap, 'a', where)).rejects.toThrow('lost');
    faults.on({ verb: 'get', userAgent: 'other' }).refuse();
    expect(() => faults.verify()).toThrow(
      'a fault never fired:\n  verb get, userAgent other: refuse\n    there was no request at all since the fault was set up',
    );
    await client.get(configMap, 'a', where);
    expect(() => faults.verify()).toThrow(
      /refuse\n {4}seen: get configmaps default\/a by system:apiserver \(my-operator\), but userAgent is "my-operator"$/,
    );
    faults.clear();
    faults.verify();
  });

  it('names a request that came near, however many others came after it', async () => {
    const client = server.client();
    await client.create(configMap, made('a'), where);
    faults.on({ verb: 'delete', resource: 'secrets' }).conflict();
    const read = async (count: number) => {
      for (let i = 0; i < count; i++) await client.get(configMap, 'a', where);
    };
    await read(60);
    expect(() => faults.verify()).toThrow('seen: get configmaps default/a by system:apiserver');
    await client.list(secret, where);
    await read(300);
    expect(() => faults.verify()).toThrow(
      /conflict|409\n {4}seen: list secrets by system:apiserver, but verb is "list"$/,
    );
    faults.clear();
  });

  it('fails at the end of its scope', async () => {
    faults[Symbol.dispose]();
    expect(() => {
      using scope = injectFaults(server);
      scope.on({ verb: 'get' }).refuse();
    }).toThrow('a fault never fired');
    faults = injectFaults(server);
  });
});
