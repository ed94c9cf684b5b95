import { type AuthenticatorFactory, rejected, sameSecret, skipped } from 'orch-apiserver/authentication';

const HEADER = 'x-robot-key';

/** Knows one robot by a key in a header of its own. */
export function robotKey(name: string, key: string): AuthenticatorFactory {
  // Made once and frozen: the same user is given to every request.
  const user = Object.freeze({ username: `robot:${name}`, groups: Object.freeze(['robots']) });
  return () => ({
    name: 'robot-key',
    authenticate({ headers }) {
      const given = headers.get(HEADER);
      if (given === undefined) return skipped; // not for us: the next authenticator is asked
      if (!sameSecret(given, key)) return rejected(new Error('the robot key is wrong'));
      return { outcome: 'authenticated', user, authenticator: 'robot-key' };
    },
  });
}
