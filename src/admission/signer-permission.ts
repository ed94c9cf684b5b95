import { groupOf } from '../meta/dialect.js';
import type { UserInfo } from '../meta/user-info.js';
import type { AdmissionHost } from './admission-plugin.js';

/** What may be done in a signer's name. */
export type SignerVerb = 'approve' | 'sign' | 'attest';

/**
 * Whether a user may act for a signer: by its name, or by `domain/*` (spec 15.10). Trouble of the
 * authorizer counts as no.
 */
export async function maySignFor(
  { dialect, authorizer }: AdmissionHost,
  user: UserInfo,
  verb: SignerVerb,
  signer: string,
): Promise<boolean> {
  const group = groupOf(dialect, 'certificates');
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
