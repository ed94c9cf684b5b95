// Attacks by webhooks, and by servers that imitate one.
import { describe, expect, it } from 'vitest';
import type { TokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import { webhookTokens } from '../../../src/exports/authentication.js';
import { authorizationConfiguration, webhook } from '../../../src/exports/authorization.js';
import type { Fetch } from '../../../src/meta/fetch.js';
import { createFakeHost, type FakeHost } from '../../../src/testing/fake-host.js';

const connection = { server: 'https://hook.example/ask' };
const SAR = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' };
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' };
const jane: AuthorizationAttributes = {
  user: { username: 'jane' },
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'a',
  path: '/api/v1/namespaces/default/pods/a',
};
const answering = (...answers: readonly (() => Response | Promise<Response>)[]) => {
  let asked = 0;
  const fetch: Fetch = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (!answer) throw new Error('no answer');
    return await answer();
  };
  return { host: createFakeHost({ fetch }), asked: () => asked };
};
const authorizerOf = (host: FakeHost, failurePolicy: 'Deny' | 'NoOpinion' = 'Deny') =>
  webhook({ connection, version: 'v1', failurePolicy })(host);
const tokensOf = (host: FakeHost) => webhookTokens({ connection, version: 'v1' })(host) as TokenAuthenticator;
const allowed = () => Response.json({ ...SAR, status: { allowed: true } });
const settle = async () => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
};
/** Advances time past the waits between retries. */
async function passing<T>(host: FakeHost, promise: T | Promise<T>): Promise<T> {
  let waiting = true;
  const done = Promise.resolve(promise).finally(() => {
    waiting = false;
  });
  while (waiting) {
    await settle();
    host.clock.advance(1000);
  }
  return await done;
}

const WRONG: readonly (readonly [string, () => Response])[] = [
  ['another kind', () => Response.json({ ...REVIEW, status: { allowed: true, authenticated: true } })],
  [
    'another version',
    () => Response.json({ ...SAR, apiVersion: 'authorization.k8s.io/v1beta1', status: { allowed: true } }),
  ],
  [
    'an admission review of another uid',
    () =>
      Response.json({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: 'another', allowed: true },
        status: { allowed: true },
      }),
  ],
  ['two reviews', () => new Response(JSON.stringify({ ...SAR, status: { allowed: true } }).repeat(2))],
  ['a string as allowed', () => Response.json({ ...SAR, status: { allowed: 'true' } })],
  ['a list as status', () => Response.json({ ...SAR, status: [true] })],
  ['the status 207', () => Response.json({ ...SAR, status: { allowed: true } }, { status: 207 })],
  ['an empty body', () => new Response('')],
  ['an HTML page', () => new Response('<html>allowed</html>', { headers: { 'content-type': 'text/html' } })],
  ['403 and an allowed review', () => Response.json({ ...SAR, status: { allowed: true } }, { status: 403 })],
  ['a redirect', () => new Response(null, { status: 307, headers: { location: 'http://other.example/' } })],
];

describe('an authorization webhook', () => {
  it.each([
    ['kind', { apiVersion: SAR.apiVersion }],
    ['version', { kind: SAR.kind }],
    ['kind and version', {}],
  ])('may omit the %s in its response', async (_, type) => {
    const answer = () => Response.json({ ...type, status: { allowed: true } });
    expect(await authorizerOf(answering(answer).host).authorize(jane)).toMatchObject({ decision: 'Allow' });
  });

  it.each(WRONG)('that responds with %s has failed', async (_, answer) => {
    for (const policy of ['Deny', 'NoOpinion'] as const) {
      const decision = await authorizerOf(answering(answer).host, policy).authorize(jane);
      expect(decision).toMatchObject({ decision: policy, error: expect.any(Error) });
    }
  });

  it('that responds late has failed, and its response is ignored', async () => {
    let answer = (_: Response) => {};
    const late = () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      });
    const { host } = answering(late, () => Response.json({ ...SAR, status: { allowed: false } }));
    const authorizer = authorizerOf(host);
    const first = authorizer.authorize(jane);
    await settle();
    host.clock.advance(30_000);
    expect(await first).toMatchObject({
      decision: 'Deny',
      error: { message: expect.stringContaining('deadline exceeded') },
    });
    answer(allowed());
    await settle();
    expect(await authorizer.authorize(jane)).toMatchObject({ decision: 'NoOpinion' });
  });

  it('whose response never ends is not read to its end', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) }));
    const decision = await authorizerOf(answering(endless).host).authorize(jane);
    expect(decision).toMatchObject({ decision: 'Deny', error: { message: expect.stringContaining('longer than') } });
  });

  it('that both allows and denies has denied', async () => {
    const both = () => Response.json({ ...SAR, status: { allowed: true, denied: true } });
    expect(await authorizerOf(answering(both).host).authorize(jane)).toMatchObject({
      decision: 'Deny',
      error: expect.any(Error),
    });
  });

  it('is retried if that may help, five times at most', async () => {
    const busy = () => new Response('', { status: 429 });
    const { host, asked } = answering(busy);
    const decision = authorizerOf(host).authorize(jane);
    expect(await passing(host, decision)).toMatchObject({ decision: 'Deny' });
    expect(asked()).toBe(5);
    const once = answering(busy, allowed);
    const second = authorizerOf(once.host).authorize(jane);
    expect(await passing(once.host, second)).toMatchObject({ decision: 'Allow' });
  });

  it('is called for each user, and again when the cached decision expired', async () => {
    const { host, asked } = answering(allowed);
    const authorizer = authorizerOf(host);
    await authorizer.authorize(jane);
    await authorizer.authorize(jane);
    expect(asked()).toBe(1);
    for (const user of [{ username: 'joe' }, { username: 'jane', groups: ['a'] }, { username: 'jane', uid: 'u' }])
      await authorizer.authorize({ ...jane, user });
    expect(asked()).toBe(4);
    host.clock.advance(300_000);
    await authorizer.authorize(jane);
    expect(asked()).toBe(5);
    for (let i = 0; i < 2; i++) await authorizer.authorize({ ...jane, name: 'x'.repeat(10_000) });
    expect(asked()).toBe(7);
  });

  it('is not called if a condition is false, and the failure policy decides if one fails', async () => {
    const { host, asked } = answering(allowed);
    const { authorization } = await authorizationConfiguration(
      {
        authorizers: [
          {
            type: 'Webhook',
            name: 'hook',
            webhook: {
              timeout: '3s',
              subjectAccessReviewVersion: 'v1',
              matchConditionSubjectAccessReviewVersion: 'v1',
              failurePolicy: 'Deny',
              connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook' },
              matchConditions: [
                { expression: "request.user != 'joe'" },
                { expression: "request.extra['a'][0] == 'b'" },
              ],
            },
          },
        ],
      },
      { dialect: 'k8s', connections: { '/hook': connection } },
    );
    const authorizer = authorization[0]?.(host);
    expect(await authorizer?.authorize({ ...jane, user: { username: 'joe' } })).toMatchObject({
      decision: 'NoOpinion',
    });
    expect(await authorizer?.authorize(jane)).toMatchObject({
      decision: 'Deny',
      error: { message: expect.stringContaining('no such key: a') },
    });
    expect(asked()).toBe(0);
    expect(await authorizer?.authorize({ ...jane, user: { username: 'jane', extra: { a: ['b'] } } })).toMatchObject({
      decision: 'Allow',
    });
  });
});

describe('an authorization configuration that is replaced', () => {
  it('never loses or gains the authorizers of the start', async () => {
    const rbac = { type: 'RBAC', name: 'rbac' } as const;
    const live = await authorizationConfiguration({ authorizers: [rbac] }, { dialect: 'k8s' });
    await expect(live.replace({ authorizers: [{ type: 'AlwaysAllow', name: 'alwaysallow' }] })).rejects.toThrow(
      'missing required types: [RBAC]',
    );
    await expect(live.replace({ authorizers: [rbac, { type: 'Node', name: 'node' }] })).rejects.toThrow(
      'authorizer type Node is not allowed if it was not enabled at initial server startup',
    );
    await expect(live.replace({ authorizers: [] })).rejects.toThrow('at least one authorization mode must be defined');
    await expect(live.replace({ authorizers: [rbac, rbac] })).rejects.toThrow('Duplicate value');
    await live.replace({ authorizers: [rbac, { type: 'AlwaysDeny', name: 'alwaysdeny' }] });
    const authorizer = live.authorization[0]?.(createFakeHost());
    expect(authorizer?.includes).toEqual(['rbac']);
    expect(await authorizer?.authorize(jane)).toMatchObject({
      decision: 'NoOpinion',
      reason: 'Everything is forbidden.',
    });
  });
});

describe('a token webhook', () => {
  const user = { username: 'jane', groups: ['a'] };
  const known = () => Response.json({ ...REVIEW, status: { authenticated: true, user } });

  it.each([
    ...WRONG.slice(2),
    [
      'a user of another type',
      () => Response.json({ ...REVIEW, status: { authenticated: true, user: { username: 7 } } }),
    ] as const,
  ])('that responds with %s authenticates no user', async (_, answer) => {
    const result = await tokensOf(answering(answer).host).authenticateToken('t', ['api'], ['api']);
    expect(result.outcome).toBe('rejected');
  });

  it('is not trusted with audiences that were not requested', async () => {
    const other = () => Response.json({ ...REVIEW, status: { authenticated: true, user, audiences: ['other'] } });
    expect(await tokensOf(answering(other).host).authenticateToken('t', ['api'], ['api'])).toMatchObject({
      outcome: 'skipped',
    });
    expect(await tokensOf(answering(known).host).authenticateToken('t', ['other'], ['api'])).toMatchObject({
      outcome: 'skipped',
    });
    expect(await tokensOf(answering(known).host).authenticateToken('t', ['other', 'api'], ['api'])).toMatchObject({
      outcome: 'authenticated',
      user,
      audiences: ['api'],
    });
  });

  it('is called once in two minutes for a token, and again after a failure', async () => {
    const { host, asked } = answering(() => new Response('', { status: 400 }), known);
    const tokens = tokensOf(host);
    expect(await tokens.authenticateToken('t', ['api'], ['api'])).toMatchObject({ outcome: 'rejected' });
    for (let i = 0; i < 3; i++)
      expect(await tokens.authenticateToken('t', ['api'], ['api'])).toMatchObject({ outcome: 'authenticated' });
    expect(asked()).toBe(2);
    host.clock.advance(120_000);
    await tokens.authenticateToken('t', ['api'], ['api']);
    expect(asked()).toBe(3);
  });
});
