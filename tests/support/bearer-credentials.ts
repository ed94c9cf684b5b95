import type { Credentials } from '../../src/authentication/authenticator.js';

/** Returns credentials that contain only a bearer token. */
export function bearerCredentials(token: string, audiences?: readonly string[]): Credentials {
  const value = `Bearer ${token}`;
  return {
    headers: {
      get: (name) => (name === 'authorization' ? value : undefined),
      all: (name) => (name === 'authorization' ? [value] : []),
      names: (prefix) => ['authorization'].filter((name) => name.startsWith(prefix)),
    },
    ...(audiences ? { audiences } : {}),
  };
}
