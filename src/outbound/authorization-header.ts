import { encodeBase64Text } from '../values/base64.js';

/**
 * Returns the Authorization header with which this server authenticates to another server. If there is a token, name and password are
 * ignored.
 */
export function authorizationHeader({
  token = '',
  username = '',
  password = '',
}: {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}): string | undefined {
  if (token !== '') return `Bearer ${token}`;
  return username === '' ? undefined : `Basic ${encodeBase64Text(`${username}:${password}`)}`;
}
