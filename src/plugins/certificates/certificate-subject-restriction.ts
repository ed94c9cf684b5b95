import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { CUSTOM_TYPE, forbidden } from '../../admission/forbid.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { wellKnownSigners } from '../../meta/signers.js';
import { parseCertificateRequest } from '../../pki/parse-request.js';
import { decodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';

interface RequestObject extends ApiObject {
  readonly spec: { readonly signerName: string; readonly request: string };
}

const MASTERS = 'system:masters';

/** Refuses requests to the signer of client certificates for members of `system:masters` (spec 17.5). */
export const certificateSubjectRestriction: AdmissionPluginFactory = ({ dialect }) => {
  const group = groupOf(dialect, 'certificates');
  const { client } = wellKnownSigners(dialect);
  return {
    name: 'CertificateSubjectRestriction',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' &&
      resource.group === group &&
      resource.resource === 'certificatesigningrequests' &&
      subresource === '',
    async validate(attributes) {
      const { object, isCustom } = attributes;
      if (isCustom) throw forbidden(attributes, `expected type CertificateSigningRequest, got: ${CUSTOM_TYPE}`);
      const { spec } = object as RequestObject; // handles() lets only these in
      if (spec.signerName !== client) return;
      const { subject } = await parseCertificateRequest(decodeBase64Text(spec.request)).catch((error: unknown) => {
        throw forbidden(attributes, `failed to parse CSR: ${messageOf(error)}`);
      });
      if (subject.organizations.includes(MASTERS))
        throw forbidden(attributes, `use of ${client} signer with ${MASTERS} group is not allowed`);
    },
  };
};
