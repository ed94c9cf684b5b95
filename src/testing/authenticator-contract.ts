import { describe, expect, it } from 'vitest';
import type { Authenticator, Credentials } from '../authentication/authenticator.js';
import { headersOf } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';

/** The test data of the contract. */
export interface AuthenticatorSample {
  /** The authenticator to test. */
  readonly authenticator: Authenticator;
  /** Credentials that the authenticator accepts. */
  readonly good: Credentials;
  /** The user that {@link good} identifies. */
  readonly user: UserInfo;
  /** Credentials of the kind of {@link good} that the authenticator must not accept, keyed by the defect. */
  readonly bad: Readonly<Record<string, Credentials>>;
  /**
   * The expected outcome for `bad`. Default `rejected`. It is `skipped` for an authenticator that shares its kind of credential with other
   * authenticators and leaves the credentials that it does not recognize to them.
   */
  readonly badOutcome?: 'rejected' | 'skipped';
}

/** Headers that are known to break parsers. */
const HOSTILE: readonly string[] = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Bearer  x',
  'bearer\tx',
  'Bearer ..',
  'Bearer {}',
  'Basic eDp5',
  'Bearer __proto__',
  `Bearer ${'A'.repeat(100_000)}`,
  'Bearer \u0000\ud800',
];

/** Declares, as vitest tests, the behavior that every authenticator must have. `make` is called for each test. */
export function runAuthenticatorContract(
  name: string,
  make: () => AuthenticatorSample | Promise<AuthenticatorSample>,
): void {
  describe(`authenticator contract: ${name}`, () => {
    it('has a name', async () => {
      expect((await make()).authenticator.name).not.toBe('');
    });

    it('authenticates the user, each time and in concurrent calls', async () => {
      const { authenticator, good, user } = await make();
      const results = await Promise.all([authenticator.authenticate(good), authenticator.authenticate(good)]);
      for (const result of [...results, await authenticator.authenticate(good)])
        expect(result).toMatchObject({ outcome: 'authenticated', user });
    });

    it('returns a frozen user', async () => {
      const { authenticator, good } = await make();
      const result = await authenticator.authenticate(good);
      if (result.outcome !== 'authenticated') throw new Error('not authenticated');
      expect(Object.isFrozen(result.user)).toBe(true);
      expect(Object.isFrozen(result.user.groups ?? Object.freeze([]))).toBe(true);
    });

    it('skips a request without credentials', async () => {
      const { authenticator } = await make();
      expect(await authenticator.authenticate({ headers: headersOf() })).toMatchObject({ outcome: 'skipped' });
    });

    it('rejects invalid credentials, with an error that says why', async () => {
      const { authenticator, bad, badOutcome = 'rejected' } = await make();
      for (const [what, credentials] of Object.entries(bad)) {
        const result = await authenticator.authenticate(credentials);
        expect([what, result.outcome]).toEqual([what, badOutcome]);
        if (result.outcome === 'rejected') expect(result.error.message).not.toBe('');
      }
    });

    it('rejects or skips hostile input, and does not throw', async () => {
      const { authenticator } = await make();
      const certificates = [
        [],
        [new Uint8Array()],
        [new Uint8Array(100).fill(0x30)],
        [Uint8Array.from([0x30, 0x80, 0, 0])],
      ];
      const attempts: Credentials[] = [
        ...HOSTILE.map((authorization) => ({ headers: headersOf({ authorization }) })),
        ...certificates.map((peerCertificates) => ({ headers: headersOf(), peerCertificates })),
      ];
      for (const credentials of attempts)
        expect((await authenticator.authenticate(credentials)).outcome).not.toBe('authenticated');
    });

    it('authenticates the user after rejected requests', async () => {
      const { authenticator, good, bad } = await make();
      for (const credentials of Object.values(bad)) await authenticator.authenticate(credentials);
      expect((await authenticator.authenticate(good)).outcome).toBe('authenticated');
    });
  });
}
