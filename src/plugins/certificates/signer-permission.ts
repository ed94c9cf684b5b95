import type { AdmissionAttributes, AdmissionHost } from '../../admission/admission-plugin.js';
import { groupOf } from '../../meta/dialect.js';

/** The actions on a signer that need permission. */
export type SignerVerb = 'approve' | 'sign' | 'attest';

/**
 * Returns whether a user has a permission on a signer, by the signer's name or by `domain/*` (spec 15.10). An error of the authorizer
 * counts as a refusal.
 */
export async function maySignFor(
  { dialect, authorizer }: AdmissionHost,
  { user, observer }: AdmissionAttributes,
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
    const decision = await authorizer.authorize({ ...signerAttributes, name });
    const isAllowed = decision.decision === 'Allow';
    // `observer` records the permissions that the request needs. A permission on `domain/*` is recorded as one on this signer, because no
    // more is needed.
    if (isAllowed || name !== signer) observer?.checked({ ...signerAttributes, name: signer }, decision);
    if (isAllowed) return true;
    if (decision.error) return false;
  }
  return false;
}
