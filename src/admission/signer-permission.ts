import type { Authorizer } from '../authorization/authorizer.js';
import { groupOf } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';

/** What may be done in a signer's name. */
export type SignerVerb = 'approve' | 'sign' | 'attest';

/**
 * Whether a user may act for a signer: by its name, or by `domain/*` (gap file identity, 2.5.6). Trouble of the
 * authorizer counts as no.
 */
export async function maySignFor(
  host: Host,
  authorizer: Authorizer,
  user: UserInfo,
  verb: SignerVerb,
  signer: string,
): Promise<boolean> {
  const group = groupOf(host.dialect, 'certificates');
  const asked = {
    user,
    verb,
    resourceRequest: true,
    group,
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    path: '',
  };
  const domain = signer.slice(0, Math.max(0, signer.indexOf('/')));
  for (const name of [signer, `${domain}/*`]) {
    const { decision } = await authorizer.authorize({ ...asked, name });
    if (decision === 'Allow') return true;
  }
  return false;
}
