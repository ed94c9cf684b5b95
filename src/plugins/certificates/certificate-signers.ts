import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { CUSTOM_TYPE, forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { equalJson } from '../../json/equal.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { quote } from '../../values/quote.js';
import { maySignFor, type SignerVerb } from './signer-permission.js';

/**
 * Requires the permission `approve` on the signer for every write of a certificate request's `approval`, even if the update changes
 * nothing.
 */
export const certificateApproval = signerCheck('CertificateApproval', 'approval', 'approve', () => true);

/** Requires the permission `sign` on the signer for writing the certificate or the conditions in a request's status. */
export const certificateSigning = signerCheck(
  'CertificateSigning',
  'status',
  'sign',
  ({ status: next }, { status: old }) => {
    const same =
      (next.certificate ?? '') === (old.certificate ?? '') && equalJson(next.conditions ?? [], old.conditions ?? []);
    return !same;
  },
);

function signerCheck(
  name: string,
  subresource: string,
  verb: SignerVerb,
  concerns: (next: CertificateSigningRequest, old: CertificateSigningRequest) => boolean,
): AdmissionPluginFactory<CertificateSigningRequest> {
  return ruledPlugin({
    name,
    rules: [
      { operations: ['UPDATE'], apiGroups: ['certificates'], resources: [`certificatesigningrequests/${subresource}`] },
    ],
    create: (host) => ({
      async validate(attributes) {
        const { object, oldObject: old, isCustom } = attributes;
        if (isCustom)
          throw forbiddenRequest(attributes, `expected type CertificateSigningRequest, got: ${CUSTOM_TYPE}`);
        if (!old || !concerns(object, old)) return;
        const signer = old.spec.signerName;
        if (await maySignFor(host, attributes, verb, signer)) return;
        throw forbiddenRequest(attributes, `user not permitted to ${verb} requests with signerName ${quote(signer)}`);
      },
    }),
  });
}
