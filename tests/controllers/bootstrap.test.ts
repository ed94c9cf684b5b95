import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ControllerDefinition } from '../../src/controllers/controller.js';
import { configMap, secret } from '../../src/resources/core/index.js';
import { selectControllers } from '../../src/server/resolve-options.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { startServer } from '../support/servers.js';

async function startTokenServer(dialect: 'k8s' | 'orch') {
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const server = await startServer({
    dialect,
    clock,
    controllers: { mode: 'stepped', run: ['*', 'bootstrapsigner', 'tokencleaner'] },
  });
  const client = server.client();
  const type = `bootstrap.${dialect === 'k8s' ? 'kubernetes' : 'orch'}.io/token`;
  return {
    server,
    clock,
    client,
    makeToken: (id: string, values: Readonly<Record<string, string>> = {}, name = `bootstrap-token-${id}`) =>
      client.create(
        secret,
        {
          metadata: { name },
          type,
          stringData: {
            'token-id': id,
            'token-secret': '0123456789abcdef',
            'usage-bootstrap-signing': 'true',
            ...values,
          },
        },
        { namespace: 'kube-system' },
      ),
    names: async () =>
      (await client.list(secret, { namespace: 'kube-system' })).items.map(({ metadata }) => metadata.name),
    info: async () => {
      await server.settle();
      return (await client.get(configMap, 'cluster-info', { namespace: 'kube-public' })).data;
    },
  };
}

const signature = (content: string, id: string, key: string) => {
  const header = Buffer.from(`{"alg":"HS256","kid":"${id}"}`).toString('base64url');
  const mac = createHmac('sha256', key)
    .update(`${header}.${Buffer.from(content).toString('base64url')}`)
    .digest('base64url');
  return `${header}..${mac}`;
};

describe('the bootstrap signer', () => {
  it.each([
    ['k8s', '0123456789abcdef'],
    ['orch', 'aaaaaa.0123456789abcdef'],
  ] as const)('signs cluster-info with each signing token (%s)', async (dialect, key) => {
    const { server, client, makeToken, info } = await startTokenServer(dialect);
    await makeToken('aaaaaa');
    await makeToken('bbbbbb', { 'usage-bootstrap-signing': 'yes' });
    await makeToken('cccccc', { 'token-id': 'dddddd' });
    await makeToken('eeeeee', { expiration: '2026-11-21T11:00:00Z' });
    await makeToken('ffffff', { 'token-secret': '' });
    await client.create(
      configMap,
      {
        metadata: { name: 'cluster-info' },
        data: { kubeconfig: 'content', other: 'kept', 'jws-kubeconfig-gggggg': 'left over' },
      },
      { namespace: 'kube-public' },
    );
    expect(await info()).toEqual({
      kubeconfig: 'content',
      other: 'kept',
      'jws-kubeconfig-aaaaaa': signature('content', 'aaaaaa', key),
    });

    await client.update(
      configMap,
      'cluster-info',
      (draft) => void (draft.data = { ...draft.data, kubeconfig: 'new' }),
      { namespace: 'kube-public' },
    );
    expect(await info()).toMatchObject({ 'jws-kubeconfig-aaaaaa': signature('new', 'aaaaaa', key) });
    await client.delete(secret, 'bootstrap-token-aaaaaa', { namespace: 'kube-system' });
    expect(await info()).toEqual({ kubeconfig: 'new', other: 'kept' });
    await server.close();
  });

  it('does nothing without content', async () => {
    const { server, client, makeToken, info } = await startTokenServer('k8s');
    await makeToken('aaaaaa');
    await server.settle();
    await client.create(
      configMap,
      { metadata: { name: 'cluster-info' }, data: { other: 'kept' } },
      { namespace: 'kube-public' },
    );
    expect(await info()).toEqual({ other: 'kept' });
    await server.close();
  });
});

describe('the token cleaner', () => {
  it('deletes expired tokens, and no other Secrets', async () => {
    const { server, clock, client, makeToken, names } = await startTokenServer('k8s');
    await makeToken('aaaaaa', { expiration: '2026-11-21T12:10:00Z' });
    await makeToken('bbbbbb', { expiration: '2026-11-21T11:00:00Z' });
    await makeToken('cccccc', { expiration: 'no time' });
    await makeToken('dddddd', { expiration: '' });
    await makeToken('eeeeee', { expiration: '2126-11-21T12:00:00Z' });
    await client.create(
      secret,
      { metadata: { name: 'plain' }, stringData: { expiration: '2026-11-21T11:00:00Z' } },
      { namespace: 'kube-system' },
    );
    await server.settle();
    expect(await names()).toEqual([
      'bootstrap-token-aaaaaa',
      'bootstrap-token-dddddd',
      'bootstrap-token-eeeeee',
      'plain',
    ]);
    clock.advance(10 * 60_000);
    await server.settle();
    expect(await names()).toEqual(['bootstrap-token-dddddd', 'bootstrap-token-eeeeee', 'plain']);
    await server.close();
  });

  it('does not run by default', async () => {
    await using server = await startServer({ dialect: 'k8s', controllers: { mode: 'stepped' } });
    const data = { 'token-id': 'aaaaaa', 'token-secret': '0123456789abcdef', expiration: '2000-01-01T00:00:00Z' };
    await server
      .client()
      .create(
        secret,
        { metadata: { name: 'bootstrap-token-aaaaaa' }, type: 'bootstrap.kubernetes.io/token', stringData: data },
        { namespace: 'kube-system' },
      );
    await server.settle();
    expect((await server.client().list(secret, { namespace: 'kube-system' })).items).toHaveLength(1);
  });
});

describe('selectControllers', () => {
  const controller = (name: string, more: Partial<ControllerDefinition> = {}): ControllerDefinition => ({
    name,
    follow: () => () => {},
    reconcile: async () => {},
    ...more,
  });
  const all = [
    controller('a', { switchedBy: ['a-controller', 'a'] }),
    controller('b', { switchedBy: ['b-controller', 'b'] }),
    controller('c', { switchedBy: ['c-controller', 'c'], onRequest: true }),
    controller('always'),
  ];
  it.each<[string[], string[]]>([
    [['*'], ['a', 'b', 'always']],
    [
      ['*', 'c'],
      ['a', 'b', 'c', 'always'],
    ],
    [
      ['*', '-a', 'c-controller'],
      ['b', 'c', 'always'],
    ],
    [['b'], ['b', 'always']],
    [['-b', 'b'], ['always']],
    [
      ['b', '-b-controller'],
      ['b', 'always'],
    ],
    [[], ['always']],
    [['-*'], ['always']],
  ])('%j', (selection, expected) => {
    expect(selectControllers(all, selection).map(({ name }) => name)).toEqual(expected);
  });
  it('refuses unknown names', () => {
    expect(() => selectControllers(all, ['*', '-a-controler'])).toThrow(
      new TypeError('controllers: there is no controller with the name "-a-controler"; did you mean "a-controller"?'),
    );
    expect(() => selectControllers([...all, controller('a')], ['*'])).toThrow('two controllers have the name "a"');
  });
});
