import { fieldError } from '../../meta/field-error.js';
import { defineResource, type ObjectOf } from '../../registry/resource-definition.js';
import { omitEmpty, required, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { nameColumn } from '../fragments/columns.js';
import { validateSignerName } from './signer-name.js';
import { validateTrustAnchors } from './trust-anchors.js';
import { trustBundleName } from './trust-bundle-name.js';

/** v1alpha1 ClusterTrustBundle: trust anchors for everybody, maybe of one signer (spec 15.11). */
export const clusterTrustBundle = defineResource({
  groupStem: 'certificates',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  scope: 'Cluster',
  featureGate: 'ClusterTrustBundle',
  deprecation: { since: '1.29', removed: '1.32' },
  allowUnconditionalUpdate: false,
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
export type ClusterTrustBundle = ObjectOf<typeof clusterTrustBundle>;

const validateSigner = ({ signerName = '' }: { readonly signerName?: string }) =>
  signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName');
