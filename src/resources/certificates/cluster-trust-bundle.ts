import { fieldError } from '../../meta/field-error.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { omitEmpty, required, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { nameColumn } from '../fragments/columns.js';
import { validateSignerName } from './signer-name.js';
import { validateTrustAnchors } from './trust-anchors.js';
import { trustBundleName } from './trust-bundle-name.js';

export const clusterTrustBundleRules = defineRules({
  schema: topLevel(
    'io.k8s.api.certificates.v1alpha1.ClusterTrustBundle',
    'X.509 trust anchors that everybody may read.',
    () => ({
      spec: required(
        struct(
          'io.k8s.api.certificates.v1alpha1.ClusterTrustBundleSpec',
          'The trust anchors and their signer.',
          () => ({
            signerName: omitEmpty(string(), 1, 'The signer of the anchors; immutable.'),
            trustBundle: required(string(), 2, 'X.509 certificates of authorities, PEM, each once.'),
          }),
        ),
        2,
        'The trust anchors and their signer.',
      ),
    }),
  ),
  nameRule: (name, prefix, { spec }) => trustBundleName(name, prefix, spec.signerName ?? ''),
  strategy: {
    validate: async ({ spec }) => [
      ...validateSigner(spec),
      ...(await validateTrustAnchors(spec.trustBundle, 'spec.trustBundle')),
    ],
    validateUpdate: async ({ spec }, { spec: old }) => [
      ...validateSigner(spec),
      ...(spec.trustBundle === old.trustBundle ? [] : await validateTrustAnchors(spec.trustBundle, 'spec.trustBundle')),
      ...((spec.signerName ?? '') === (old.signerName ?? '')
        ? []
        : [fieldError.invalid('spec.signerName', spec.signerName ?? '', 'field is immutable')]),
    ],
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  columns: [
    nameColumn,
    {
      name: 'SignerName',
      type: 'string',
      description: 'The signer of the anchors.',
      cell: ({ spec }) => spec.signerName || '<none>',
    },
  ],
});
export type ClusterTrustBundle = ObjectOfRules<typeof clusterTrustBundleRules>;

const validateSigner = ({ signerName = '' }: { readonly signerName?: string }) =>
  signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName');
