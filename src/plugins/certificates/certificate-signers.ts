import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { CUSTOM_TYPE, forbidden } from '../../admission/forbid.js';
import { equalJson } from '../../json/equal.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import { maySignFor, type SignerVerb } from './signer-permission.js';

interface RequestObject extends ApiObject {
  readonly spec: { readonly signerName: string };
  readonly status: { readonly conditions?: readonly object[]; readonly certificate?: string };
}

const REQUESTS = 'certificatesigningrequests';

/** Requires the permission `approve` on the signer for approving or denying a certificate request, even when the update changes nothing. */
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
  concerns: (next: RequestObject, old: RequestObject) => boolean,
): AdmissionPluginFactory {
  return (host) => {
    const group = groupOf(host.dialect, 'certificates');
    return {
      name,
      handles: (attributes: AdmissionAttributes) =>
        attributes.operation === 'UPDATE' &&
        attributes.subresource === subresource &&
        attributes.resource.resource === REQUESTS &&
        attributes.resource.group === group,
      async validate(attributes) {
        const { object, oldObject, user, isCustom } = attributes;
        if (isCustom) throw forbidden(attributes, `expected type CertificateSigningRequest, got: ${CUSTOM_TYPE}`);
        const next = object as RequestObject; // an update of that kind has both
        const old = oldObject as RequestObject;
        if (!concerns(next, old)) return;
        const signer = old.spec.signerName;
        if (await maySignFor(host, user, verb, signer)) return;
        throw forbidden(attributes, `user not permitted to ${verb} requests with signerName ${quote(signer)}`);
      },
    };
  };
}
