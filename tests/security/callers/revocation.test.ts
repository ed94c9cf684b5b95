import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { bootstrapTokens } from '../../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import type { TokenRequest } from '../../../src/resources/authentication/authentication-v1.types.js';
import { node, pod, secret, serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.js';
import { ask, whoIs } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

/*
 * The verification of a used token is cached for ten seconds. Changes that this server itself knows end it at once: no time passes in
 * these tests unless they advance it.
 */
const where = { namespace: 'default' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const ACCOUNT = 'system:serviceaccount:default:app';
const BOOTSTRAP = 'abcdef.0123456789abcdef';

describe.each(['k8s', 'orch'] as const)('the following end the validity of a token in dialect %s', (dialect) => {
  let clock: FakeClock;
  let server: ApiServer;
  beforeEach(async () => {
    clock = createFakeClock('2026-11-21T12:00:00Z');
    server = await startServer({ dialect, clock, authentication: [bootstrapTokens()] });
    await server.client().create(serviceAccount, { metadata: { name: 'app' } }, where);
  });
  afterEach(() => server.close());

  const who = (token: string) => whoIs(server, { headers: { authorization: `Bearer ${token}` } });
  /** A token of the account that was used before, so that its verification is cached. */
  async function used(boundObjectRef?: object): Promise<string> {
    const spec = { audiences: [`https://${dialect === 'k8s' ? 'k8s' : 'orch'}.default.svc`], boundObjectRef };
    const request = await server
      .client()
      .createSubresource<TokenRequest>(serviceAccount, 'app', 'token', { spec } as object, where);
    return await known(request.status.token, ACCOUNT);
  }
  /** Sends the request more than once, because the first lookups determine which objects to follow. */
  async function known(token: string, user: string): Promise<string> {
    for (let i = 0; i < 3; i++) expect(await who(token)).toBe(user);
    return token;
  }
  const makePod = (spec: object = {}) =>
    server.client().create(
      pod,
      {
        metadata: { name: 'p' },
        spec: { serviceAccountName: 'app', containers: [{ name: 'c', image: 'i', resources: {} }], ...spec },
      },
      where,
    );
  const toPod = { kind: 'Pod', apiVersion: 'v1', name: 'p' };

  it('a deleted account', async () => {
    const token = await used();
    await server.client().delete(serviceAccount, 'app', where);
    expect(await who(token)).toBe(401);
  });
  it('a deleted account, in a token review', async () => {
    const token = await used();
    const review = () =>
      ask(server, {
        method: 'POST',
        path: `/apis/${dialect === 'k8s' ? 'authentication.k8s.io' : 'authentication.orch.io'}/v1/tokenreviews`,
        body: { spec: { token } },
        headers: { authorization: `Bearer ${token}` },
      });
    await server.client().delete(serviceAccount, 'app', where);
    expect((await review()).status).toBe(401);
  });
  it('a deleted account that was created again', async () => {
    const token = await used();
    await server.client().delete(serviceAccount, 'app', where);
    await server.client().create(serviceAccount, { metadata: { name: 'app' } }, where);
    expect(await who(token)).toBe(401);
    expect(await who(await used())).toBe(ACCOUNT);
  });
  it('a deleted pod, but not a changed one', async () => {
    await makePod();
    const token = await used(toPod);
    await server.client().update(pod, 'p', (draft) => void (draft.metadata.labels = { a: 'b' }), where);
    expect(await who(token)).toBe(ACCOUNT);
    await server.client().delete(pod, 'p', { ...where, gracePeriodSeconds: 0 });
    expect(await who(token)).toBe(401);
    await makePod();
    expect(await who(token)).toBe(401);
  });
  it('a pod that is being deleted, a minute after the end of its grace period', async () => {
    await makePod({ nodeName: 'n' });
    const token = await used(toPod);
    await server.client().delete(pod, 'p', { ...where, gracePeriodSeconds: 30 });
    clock.advance(89_000);
    await known(token, ACCOUNT);
    clock.advance(2_000);
    expect(await who(token)).toBe(401);
  });
  it('a deleted secret', async () => {
    await server.client().create(secret, { metadata: { name: 's' } }, where);
    const token = await used({ kind: 'Secret', apiVersion: 'v1', name: 's' });
    await server.client().delete(secret, 's', where);
    expect(await who(token)).toBe(401);
  });
  // In the other dialect, tokens cannot be bound to nodes.
  it.runIf(dialect === 'k8s')('a deleted node', async () => {
    await server.client().create(node, { metadata: { name: 'n' }, spec: {} });
    const token = await used({ kind: 'Node', apiVersion: 'v1', name: 'n' });
    await server.client().delete(node, 'n');
    expect(await who(token)).toBe(401);
  });
  it('the expiry of the token, to the second', async () => {
    const token = await used();
    clock.advance(3_660_000);
    await known(token, ACCOUNT);
    clock.advance(1);
    expect(await who(token)).toBe(401);
  });

  describe('for a token in a Secret', () => {
    const type = dialect === 'k8s' ? 'kubernetes.io/service-account-token' : 'orch.io/service-account-token';
    const name = dialect === 'k8s' ? 'kubernetes.io/service-account.name' : 'orch.io/service-account.name';
    let token: string;
    beforeEach(async () => {
      await server
        .client()
        .create(secret, { metadata: { name: 's', annotations: { [name]: 'app' } }, type } as object as never, where);
      await server.settle();
      const { data = {} } = (await server.client().get(secret, 's', where)) as { data?: Record<string, string> };
      token = await known(Buffer.from(data['token'] ?? '', 'base64').toString(), ACCOUNT);
      await server.settle();
      await known(token, ACCOUNT);
    });
    it('the deletion of the Secret', async () => {
      await server.client().delete(secret, 's', where);
      expect(await who(token)).toBe(401);
    });
    it('another token in the Secret', async () => {
      await server.client().patch(secret, 's', { data: { token: base64('another') } }, where);
      expect(await who(token)).toBe(401);
    });
    it('the label that it is invalid', async () => {
      const label = `${dialect === 'k8s' ? 'kubernetes.io' : 'orch.io'}/legacy-token-invalid-since`;
      await server.client().patch(secret, 's', { metadata: { labels: { [label]: '2026-11-21' } } }, where);
      expect(await who(token)).toBe(401);
    });
    it('the deletion of the account', async () => {
      await server.client().delete(serviceAccount, 'app', where);
      expect(await who(token)).toBe(401);
    });
  });

  describe('for a bootstrap token', () => {
    const system = { namespace: 'kube-system' };
    const NAME = 'bootstrap-token-abcdef';
    beforeEach(async () => {
      const data = {
        'token-id': base64('abcdef'),
        'token-secret': base64('0123456789abcdef'),
        'usage-bootstrap-authentication': base64('true'),
        expiration: base64('2026-11-21T12:00:05Z'),
      };
      const type = `bootstrap.${dialect === 'k8s' ? 'kubernetes.io' : 'orch.io'}/token`;
      await server.client().create(secret, { metadata: { name: NAME }, type, data } as object as never, system);
      await known(BOOTSTRAP, 'system:bootstrap:abcdef');
    });
    it('the deletion of the Secret', async () => {
      await server.client().delete(secret, NAME, system);
      expect(await who(BOOTSTRAP)).toBe(401);
    });
    it('the removal of this usage', async () => {
      await server
        .client()
        .patch(secret, NAME, { data: { 'usage-bootstrap-authentication': base64('false') } }, system);
      expect(await who(BOOTSTRAP)).toBe(401);
    });
    it('the expiration of the Secret', async () => {
      clock.advance(4_999);
      await known(BOOTSTRAP, 'system:bootstrap:abcdef');
      clock.advance(1);
      expect(await who(BOOTSTRAP)).toBe(401);
    });
  });
});
