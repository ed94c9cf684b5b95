import { encodeBase64Text } from '../values/base64.js';

/** Returns the Authorization header that identifies this server to another; a token wins over a name and password. */
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
