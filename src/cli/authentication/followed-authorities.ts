import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { FollowedFile } from '../configuration/follow-file.js';

/** Authentication by authorities from a file that is read again when it changes. */
export interface FollowedAuthorities {
  readonly authentication: readonly AuthenticatorFactory[];
  readonly followed: readonly FollowedFile[];
  /** Returns the PEM of the authorities that are trusted at present. */
  readonly current: () => string;
}

/**
 * Creates an authenticator whose authorities follow a file. At the start, authorities that cannot be parsed are refused; later, such a
 * content is logged and the previous authorities stay trusted.
 * @param path path of the file; undefined when there is no file to follow
 * @param first the content of the file at the start, PEM
 * @param others authorities that are trusted besides the content of the file
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
