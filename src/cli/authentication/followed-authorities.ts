import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { FollowedFile } from '../configuration/follow-file.js';

/** An authenticator that trusts the authorities in a file. The file is read again when it changes. */
export interface FollowedAuthorities {
  readonly authentication: readonly AuthenticatorFactory[];
  readonly followed: readonly FollowedFile[];
  /** Returns the PEM of the authorities that are trusted at present. */
  readonly current: () => string;
}

/**
 * Creates an authenticator that trusts the certificate authorities in a file. At the start, a file that cannot be parsed is refused. If the
 * file cannot be parsed after a later change, the error is logged and the previous authorities stay trusted.
 * @param path path of the file; undefined when there is no file to follow
 * @param first the content of the file at the start, PEM
 * @param others authorities that are trusted in addition to the file's content
 */
export function followedAuthorities(
  path: string | undefined,
  first: string,
  others: readonly string[],
  make: (authorities: string | (() => string)) => AuthenticatorFactory,
  log: (message: string) => void,
): FollowedAuthorities {
  const together = (text: string) => [text, ...others].join('\n');
  let trusted = together(first);
  const fixed = make(trusted);
  if (path === undefined || path === '') return { authentication: [fixed], followed: [], current: () => trusted };
  const changing = make(() => trusted);
  return {
    current: () => trusted,
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
          if ((await parseCertificates(text)).length === 0) throw new Error('the file contains no certificate');
          trusted = together(text);
        },
      },
    ],
  };
}
