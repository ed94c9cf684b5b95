import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { CUSTOM_TYPE, forbidden } from '../../admission/forbid.js';
import { equalJson } from '../../json/equal.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import { maySignFor } from './signer-permission.js';

interface BundleObject extends ApiObject {
  readonly spec: { readonly signerName?: string };
}

/** Requires the permission `attest` on the signer for writing the signer's trust bundle. */
export const clusterTrustBundleAttest: AdmissionPluginFactory = (host) => {
  const group = groupOf(host.dialect, 'certificates');
  return {
    name: 'ClusterTrustBundleAttest',
    handles: ({ operation, resource, subresource, isCustom }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      resource.group === group &&
      resource.resource === 'clustertrustbundles' &&
      // Where the built-in kind is not served, a custom kind of the same name is treated like any other.
      (isCustom === true ? host.gates.ClusterTrustBundle : subresource === ''),
    async validate(attributes) {
      const { object, oldObject, user, isCustom } = attributes;
      if (isCustom)
        throw forbidden(attributes, `expected type ClusterTrustBundle, got: ${oldObject ? CUSTOM_TYPE : '<nil>'}`);
      const bundle = object as BundleObject; // handles() lets only these in
      const { signerName = '' } = bundle.spec;
      if (signerName === '' || (oldObject && onlyCollectorFieldsDiffer(bundle, oldObject))) return;
      if (await maySignFor(host, user, 'attest', signerName)) return;
      throw forbidden(attributes, `user not permitted to attest for signerName ${quote(signerName)}`);
    },
  };
};

/**
 * Returns whether only owners and finalizers change, which needs no permission: the garbage collector and controllers with finalizers need
 * not know the signer.
 */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const withoutCollectorFields = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(withoutCollectorFields(next), withoutCollectorFields(old));
}
