import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { anonymous } from '../../../src/authentication/anonymous.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { bootstrapTokens } from '../../../src/plugins/bootstrap-tokens/bootstrap-token.js';
import { ask } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

/* A token review authenticates known tokens only. In k8s, text after a blank is ignored, as recorded. */
describe.each(['k8s', 'orch'] as const)('a token review in dialect %s', (dialect) => {
  let server: ApiServer;
  beforeAll(async () => {
    const authentication = [tokenFile('admintok,admin,1,system:masters\nbobtok,bob,2'), bootstrapTokens(), anonymous()];
    server = await startServer({ dialect, authentication });
  });
  afterAll(() => server.close());
  const review = async (token: string) => {
    const { status, value } = await ask(server, {
      method: 'POST',
      path: `/apis/authentication.${dialect === 'k8s' ? 'k8s' : 'orch'}.io/v1/tokenreviews`,
      headers: { authorization: 'Bearer admintok' },
      body: { spec: { token } },
    });
    return { status, review: value.status };
  };

  it('authenticates a token', async () => {
    expect((await review('bobtok')).review).toMatchObject({ authenticated: true, user: { username: 'bob' } });
  });
  it.each([' ', '\t', '\n', '  ', ' bobtok', '  bobtok', '\tbobtok', 'Bearer bobtok', 'bobtok\tjunk', ',', 'x'])(
    'does not authenticate %j',
    async (token) => {
      const answer = await review(token);
      expect(answer.status).toBe(201);
      if (dialect === 'k8s' && (token.startsWith(' ') || token.trim() === '')) {
        expect(answer.review).toMatchObject({ authenticated: true, user: { username: 'system:anonymous' } });
        return;
      }
      expect(answer.review.user).toEqual({});
      expect(answer.review.authenticated).toBeUndefined();
      expect(JSON.stringify(answer)).not.toContain('anonymous');
    },
  );
  // As the upstream server reads them; a header of this form means the same.
  it.each(['bobtok ', 'bobtok\n', 'bobtok junk'])('ignores what follows a blank in the token: %j', async (token) => {
    expect((await review(token)).review).toMatchObject({ authenticated: true, user: { username: 'bob' } });
  });
  it('does not authenticate a token that is too long', async () => {
    const answer = await review('x'.repeat(1_000_000));
    expect(answer).toMatchObject({ status: 201, review: { user: {}, error: 'invalid bearer token' } });
  });
  it('refuses an empty token', async () => {
    expect((await review('')).status).toBe(400);
  });
});
