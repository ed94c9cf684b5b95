import { encodeBase64Text } from '../values/base64.js';

/** The header by which another server knows this one: a token goes before a name and password. */
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
