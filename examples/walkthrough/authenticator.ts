import { type AuthenticatorFactory, rejected, sameSecret, skipped } from 'orch-apiserver/authentication';

const HEADER = 'x-robot-key';

/** Authenticates one robot by a key in a header. */
export function robotKey(name: string, key: string): AuthenticatorFactory {
  // The user is created once and frozen, because all requests share it.
  const user = Object.freeze({ username: `robot:${name}`, groups: Object.freeze(['robots']) });
  return () => ({
    name: 'robot-key',
    authenticate({ headers }) {
      const given = headers.get(HEADER);
      if (given === undefined) return skipped; // no credentials of this method: the next authenticator is called
      if (!sameSecret(given, key)) return rejected(new Error('the robot key is wrong'));
      return { outcome: 'authenticated', user, authenticator: 'robot-key' };
    },
  });
}
