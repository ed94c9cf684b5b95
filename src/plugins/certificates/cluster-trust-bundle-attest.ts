import { CUSTOM_TYPE, forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { equalJson } from '../../json/equal.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ClusterTrustBundle } from '../../resources/certificates/certificates-v1alpha1.types.js';
import { quote } from '../../values/quote.js';
import { maySignFor } from './signer-permission.js';

/** Requires the permission `attest` on the signer for writing the signer's trust bundle. */
export const clusterTrustBundleAttest = ruledPlugin<ClusterTrustBundle>({
  name: 'ClusterTrustBundleAttest',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['certificates'], resources: ['clustertrustbundles/*'] }],
  create: (host) => ({
    // If the built-in kind ClusterTrustBundle is not served, custom resources of this name are admitted without a check.
    handles: ({ subresource, isCustom }) => (isCustom === true ? host.gates.ClusterTrustBundle : subresource === ''),
    async validate(attributes) {
      const { object, oldObject, isCustom } = attributes;
      if (isCustom)
        throw forbiddenRequest(
          attributes,
          `expected type ClusterTrustBundle, got: ${oldObject ? CUSTOM_TYPE : '<nil>'}`,
        );
      const { signerName = '' } = object.spec;
      if (signerName === '' || (oldObject && onlyCollectorFieldsDiffer(object, oldObject))) return;
      if (await maySignFor(host, attributes, 'attest', signerName)) return;
      throw forbiddenRequest(attributes, `user not permitted to attest for signerName ${quote(signerName)}`);
    },
  }),
});

/**
 * Returns whether only owner references and finalizers change. Such an update needs no permission, because the garbage collector and
 * controllers with finalizers need not know the signer.
 */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const withoutCollectorFields = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(withoutCollectorFields(next), withoutCollectorFields(old));
}
