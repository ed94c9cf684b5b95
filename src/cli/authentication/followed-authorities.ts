import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { FollowedFile } from '../configuration/follow-file.js';

/** An authenticator by authorities of a file that is read again when it changes. */
export interface FollowedAuthorities {
  readonly authentication: readonly AuthenticatorFactory[];
  readonly followed: readonly FollowedFile[];
  /** As they are at the moment, PEM. */
  readonly current: () => string;
}

/**
 * Broken authorities are refused at the start; later the old ones stay.
 * @param path of the file; undefined: none is followed
 * @param first what the file says at the start, PEM
 * @param others trusted beside it, whatever it says
 */
export function followedAuthorities(
  path: string | undefined,
  first: string,
  others: readonly string[],
  make: (authorities: string | (() => string)) => AuthenticatorFactory,
  log: (message: string) => void,
): FollowedAuthorities {
  const together = (text: string) => [text, ...others].join('\n');
  let now = together(first);
  const fixed = make(now);
  if (path === undefined || path === '') return { authentication: [fixed], followed: [], current: () => now };
  const changing = make(() => now);
  return {
    current: () => now,
    authentication: [
      (host) => {
        fixed(host);
        return changing(host);
      },
    ],
    followed: [
      {
        path,
        text: first,
        log,
        async take(text) {
          const { parseCertificates } = await import('../../pki/parse-certificate.js');
          if ((await parseCertificates(text)).length === 0) throw new Error('there is no certificate in it');
          now = together(text);
        },
      },
    ],
  };
}
