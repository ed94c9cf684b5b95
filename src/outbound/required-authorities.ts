import type { OutboundTls } from '../meta/fetch.js';
import { perObject } from '../values/memoize.js';

/** Thrown when the given certificate authorities cannot be read, so that no certificate would be accepted. */
export class AuthoritiesError extends Error {
  override readonly name = 'AuthoritiesError';
}

/**
 * Checks the certificate authorities in TLS options, once for each object.
 * @throws AuthoritiesError when there are some and none can be read.
 */
export const requireAuthorities = perObject(async ({ certificateAuthority }: OutboundTls): Promise<void> => {
  if (certificateAuthority === undefined) return;
  const { authoritiesProblem } = await import('../pki/authorities-problem.js');
  const problem = await authoritiesProblem(certificateAuthority);
  if (problem !== undefined) throw new AuthoritiesError(problem);
});
