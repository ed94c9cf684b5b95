import { describe, expect, it } from 'vitest';
import type { AuthenticationTrust } from '../../src/controllers/server-authorities.js';
import { namespace } from '../../src/exports/kinds.js';
import { type ApiServer, configMap } from '../../src/index.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';
import { openWorld, serverOf, type World } from './world.js';

const inSystem = { namespace: 'kube-system' };
const TRUST = 'extension-apiserver-authentication';
const ROOT = 'kube-root-ca.crt';
const START = Date.parse('2026-11-21T12:00:00Z');
const YEAR = 365 * 24 * 3_600_000;

const authority = async (commonName: string, seed: number, now = START) =>
  (await createCertificateAuthority({ commonName, now, random: createFakeRandom(seed), signatures: systemSignatures }))
    .certificate;
const dataOf = async (server: ApiServer, name: string, inNamespace = 'kube-system') =>
  (await server.client().get(configMap, name, { namespace: inNamespace })).data;

describe('the authentication data that servers publish for other servers', async () => {
  const [some, another] = [await authority('some', 1), await authority('another', 2)];
  const expired = await authority('old', 3, START - 100 * YEAR);
  const none = { allowedNames: [], usernameHeaders: [], groupHeaders: [], extraHeaderPrefixes: [] };
  const lists = (names = '[]', users = '[]', groups = '[]', extra = '[]') => ({
    'requestheader-allowed-names': names,
    'requestheader-username-headers': users,
    'requestheader-group-headers': groups,
    'requestheader-extra-headers-prefix': extra,
  });
  const full = {
    allowedNames: ['first', 'second'],
    usernameHeaders: ['alfa', 'bravo', 'charlie'],
    groupHeaders: ['delta'],
    extraHeaderPrefixes: ['echo', 'foxtrot'],
  };
  type Data = Record<string, string>;
  const cases: readonly (readonly [title: string, trust: AuthenticationTrust, there: Data | undefined, then: Data])[] =
    [
      [
        'contains all authorities and names',
        { clientCA: some, requestHeader: { ...full, clientCA: another } },
        undefined,
        {
          'client-ca-file': some,
          'requestheader-client-ca-file': another,
          ...lists('["first","second"]', '["alfa","bravo","charlie"]', '["delta"]', '["echo","foxtrot"]'),
        },
      ],
      [
        'contains the authority and names of proxies',
        { requestHeader: { ...none, allowedNames: ['first', 'second'], clientCA: another } },
        undefined,
        { 'requestheader-client-ca-file': another, ...lists('["first","second"]') },
      ],
      ['contains the authority of clients', { clientCA: some }, undefined, { 'client-ca-file': some }],
      [
        'contains the authority of proxies with any name',
        { requestHeader: { ...none, clientCA: another } },
        undefined,
        { 'requestheader-client-ca-file': another, ...lists() },
      ],
      [
        'keeps the authority of clients of another server',
        { clientCA: some },
        { 'client-ca-file': another },
        { 'client-ca-file': another + some },
      ],
      [
        'keeps the authority of proxies of another server',
        { requestHeader: { ...none, clientCA: another } },
        { 'requestheader-client-ca-file': some, ...lists() },
        { 'requestheader-client-ca-file': some + another, ...lists() },
      ],
      [
        'contains the names of both servers once each',
        { requestHeader: { ...none, allowedNames: ['b', 'c'], groupHeaders: ['g'], clientCA: another } },
        { 'requestheader-client-ca-file': another, ...lists('["a","b"]', '["u"]') },
        { 'requestheader-client-ca-file': another, ...lists('["a","b","c"]', '["u"]', '["g"]') },
      ],
      [
        'does not repeat an authority',
        { clientCA: some },
        { 'client-ca-file': some + another },
        { 'client-ca-file': some + another },
      ],
      [
        'drops expired authorities and other keys',
        { clientCA: some },
        { 'client-ca-file': expired + another, other: 'x' },
        { 'client-ca-file': another + some },
      ],
      [
        'drops names without an authority',
        { clientCA: some },
        { 'requestheader-client-ca-file': expired, ...lists('["a"]') },
        { 'client-ca-file': some },
      ],
    ];
  it.each(cases)('%s', async (_title, authenticationTrust, there, then) => {
    const clock = createFakeClock(START);
    await using world = await openWorld([{ clock, authenticationTrust: false }]);
    const first = serverOf(world, 0);
    if (there) await first.client().create(configMap, { metadata: { name: TRUST }, data: there }, inSystem);
    const second = await world.join({ clock, authenticationTrust });
    await world.rest();
    expect(await dataOf(first, TRUST)).toEqual(then);
    const before = await second.client().list(configMap, inSystem);
    clock.advance(61_000);
    await world.rest();
    expect((await second.client().list(configMap, inSystem)).items).toEqual(before.items);
  });

  it('follows changes of CAs', async () => {
    const clock = createFakeClock(START);
    let clientCA = some;
    await using world = await openWorld([{ clock, authenticationTrust: () => ({ clientCA }) }]);
    await serverOf(world, 0).client().list(configMap, inSystem);
    await world.rest();
    clientCA = another;
    clock.advance(61_000);
    await world.rest();
    expect(await dataOf(serverOf(world, 0), TRUST)).toEqual({ 'client-ca-file': some + another });
  });

  it('is reset when it has grown too large', async () => {
    const filler = `# ${'x'.repeat(1_040_000)}\n`;
    const lines: string[] = [];
    const clock = createFakeClock(START);
    const others = {
      allowedNames: ['x'.repeat(9_000)],
      usernameHeaders: [],
      groupHeaders: [],
      extraHeaderPrefixes: [],
    };
    await using world = await openWorld([{ clock, authenticationTrust: false }]);
    const data = { 'requestheader-client-ca-file': another, ...lists(JSON.stringify([filler])) };
    await serverOf(world, 0)
      .client()
      .create(configMap, { metadata: { name: TRUST }, data }, inSystem);
    const requestHeader = { ...others, clientCA: some };
    await world.join({ clock, authenticationTrust: { requestHeader }, log: (line) => lines.push(line) });
    await serverOf(world, 1).client().list(configMap, inSystem);
    await world.rest();
    expect(lines.join()).toContain('Too long');
    clock.advance(2000);
    await world.rest();
    expect((await dataOf(serverOf(world, 1), TRUST))?.['requestheader-client-ca-file']).toBe(some);
  });
});

describe('the root certificates of namespaces', () => {
  const everywhere = async (world: World) => {
    const { items } = await serverOf(world, 0).client().list(configMap, {});
    return items.filter(({ metadata }) => metadata.name === ROOT).map(({ data }) => data?.['ca.crt']);
  };
  const wake = async (world: World) => {
    for (const server of world.servers) await server.client().list(configMap, {});
    await world.rest();
  };

  it('are those of all servers, in each namespace, and do not change further', async () => {
    await using world = await openWorld(3);
    await wake(world);
    await serverOf(world, 1)
      .client()
      .create(namespace, { metadata: { name: 'later' } });
    await world.rest();
    const own = await Promise.all(
      world.servers.map(async (server) => (await server.certificateAuthority()).certificate),
    );
    const bundles = await everywhere(world);
    expect(bundles).toHaveLength(5);
    expect(new Set(bundles).size).toBe(1);
    expect(bundles[0]?.length).toBe(own.join('').length);
    for (const pem of own) expect(bundles[0]).toContain(pem);
  });

  it('are corrected when another client changes them', async () => {
    await using world = await openWorld(2);
    await wake(world);
    const [before] = await everywhere(world);
    const client = serverOf(world, 0).client();
    for (const inNamespace of ['default', 'kube-system']) {
      await client.patch(configMap, ROOT, { data: { 'ca.crt': 'nonsense', more: 'x' } }, { namespace: inNamespace });
      await world.rest();
      const texts = await everywhere(world);
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]?.length).toBe(before?.length);
      expect(await dataOf(serverOf(world, 1), ROOT, inNamespace)).toEqual({ 'ca.crt': texts[0] });
    }
  });

  it('are the configured ones, unchanged', async () => {
    const given = `# ours\n${await authority('ours', 4)}`;
    await using world = await openWorld([{ certificates: { root: given } }, { certificates: { root: given } }]);
    await wake(world);
    expect(new Set(await everywhere(world))).toEqual(new Set([given]));
  });

  it('are those of all servers with leader election as well', async () => {
    const controllers = { leaderElection: true };
    await using world = await openWorld([{ controllers }, { controllers }, { controllers }]);
    await wake(world);
    const own = await Promise.all(
      world.servers.map(async (server) => (await server.certificateAuthority()).certificate),
    );
    const bundles = await everywhere(world);
    expect(bundles).toHaveLength(4);
    expect(new Set(bundles).size).toBe(1);
    for (const pem of own) expect(bundles[0]).toContain(pem);
    expect((await dataOf(serverOf(world, 2), TRUST))?.['client-ca-file']?.length).toBe(own.join('').length);
  });

  it('are those of the leader if servers have different ones', async () => {
    const [first, second] = [await authority('first', 5), await authority('second', 6)];
    const controllers = { leaderElection: true };
    await using world = await openWorld([
      { controllers, certificates: { root: first } },
      { controllers, certificates: { root: second } },
    ]);
    // If servers wrote their own authorities in turns, they would never come to rest.
    await wake(world);
    expect(new Set(await everywhere(world))).toEqual(new Set([first]));
  });
});
