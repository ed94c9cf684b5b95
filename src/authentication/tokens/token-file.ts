import type { UserInfo } from '../../meta/user-info.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from '../authenticator.js';
import { tokenAuthenticator } from './bearer-token.js';
import { readCsv } from './csv.js';
import { sameSecret } from './same-secret.js';

/** The options of `tokenFile`. */
export interface TokenFileOptions {
  /** The path of the file in log messages. Default `token-auth-file`. */
  readonly path?: string;
}

/**
 * Authenticates the static tokens of a CSV text. Its columns are token, user name, user uid and optionally groups; several groups are one
 * quoted field (spec 11.7). If several rows have the same token, the last one counts.
 * @throws TypeError for text that is not CSV or has fewer than three columns.
 */
export function tokenFile(csv: string, { path = 'token-auth-file' }: TokenFileOptions = {}): AuthenticatorFactory {
  if (typeof csv !== 'string')
    throw new TypeError('tokenFile(): the tokens must be a string, such as "token,user,uid"');
  const users = new Map<string, UserInfo>();
  const warnings: string[] = [];
  let number = 0;
  for (const record of readCsv(csv)) {
    number++;
    const [token = '', username = '', uid = '', groups] = record;
    if (record.length < 3)
      throw new TypeError(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    const problem = token === '' ? 'empty' : users.has(token) ? 'duplicate' : undefined;
    if (problem) warnings.push(`${problem} token has been found in token file '${path}', record number '${number}'`);
    if (token !== '')
      users.set(
        token,
        Object.freeze({ username, uid, ...(groups === undefined ? {} : { groups: Object.freeze(groups.split(',')) }) }),
      );
  }
  const entries = [...users].map(([token, user]) => {
    const result: AuthenticationResult = Object.freeze({ outcome: 'authenticated', user, authenticator: 'token-file' });
    return { token, result };
  });

  return (host) => {
    for (const warning of warnings) host.log(warning);
    return tokenAuthenticator('token-file', (token) => {
      let result = skipped;
      // Every entry is compared, so that the response time reveals nothing about the tokens.
      for (const entry of entries) if (sameSecret(entry.token, token)) result = entry.result;
      return result;
    });
  };
}
