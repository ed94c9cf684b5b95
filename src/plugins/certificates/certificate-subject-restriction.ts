import { CUSTOM_TYPE, forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { wellKnownSigners } from '../../meta/signers.js';
import { parseCertificateRequest } from '../../pki/parse-request.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { decodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';

const MASTERS = 'system:masters';

/** Refuses requests for client certificates whose subject is in the group `system:masters` (spec 17.5). */
export const certificateSubjectRestriction = ruledPlugin<CertificateSigningRequest>({
  name: 'CertificateSubjectRestriction',
  rules: [{ operations: ['CREATE'], apiGroups: ['certificates'], resources: ['certificatesigningrequests'] }],
  create({ dialect }) {
    const { client } = wellKnownSigners(dialect);
    return {
      async validate(attributes) {
        const { object, isCustom } = attributes;
        if (isCustom)
          throw forbiddenRequest(attributes, `expected type CertificateSigningRequest, got: ${CUSTOM_TYPE}`);
        const { spec } = object;
        if (spec.signerName !== client) return;
        const { subject } = await parseCertificateRequest(decodeBase64Text(spec.request)).catch((error: unknown) => {
          throw forbiddenRequest(attributes, `failed to parse CSR: ${messageOf(error)}`);
        });
        if (subject.organizations.includes(MASTERS))
          throw forbiddenRequest(attributes, `use of ${client} signer with ${MASTERS} group is not allowed`);
      },
    };
  },
});
