import type { AdmissionHost } from '../../admission/admission-plugin.js';
import { groupOf } from '../../meta/dialect.js';
import type { UserInfo } from '../../meta/user-info.js';

/** The actions on a signer that need permission. */
export type SignerVerb = 'approve' | 'sign' | 'attest';

/**
 * Returns whether a user may act for a signer, by a permission on its name or on `domain/*` (spec 15.10). An error of the authorizer counts
 * as a refusal.
 */
export async function maySignFor(
  { dialect, authorizer }: AdmissionHost,
  user: UserInfo,
  verb: SignerVerb,
  signer: string,
): Promise<boolean> {
  const group = groupOf(dialect, 'certificates');
  const signerAttributes = {
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
    const { decision } = await authorizer.authorize({ ...signerAttributes, name });
    if (decision === 'Allow') return true;
  }
  return false;
}
