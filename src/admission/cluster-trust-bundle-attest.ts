import { equalJson } from '../json/equal.js';
import { apiError } from '../meta/api-error.js';
import { groupOf } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import { quote } from '../values/quote.js';
import type { AdmissionPluginFactory } from './admission-plugin.js';
import { maySignFor } from './signer-permission.js';

interface BundleObject extends ApiObject {
  readonly spec: { readonly signerName?: string };
}

/** Whoever writes a signer's trust bundle needs `attest` on the signer. */
export const clusterTrustBundleAttest: AdmissionPluginFactory = (host) => {
  const group = groupOf(host.dialect, 'certificates');
  return {
    name: 'ClusterTrustBundleAttest',
    handles: ({ operation, resource, subresource }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      resource.group === group &&
      resource.resource === 'clustertrustbundles' &&
      subresource === '',
    async validate({ object, oldObject, user, resource, name }) {
      const bundle = object as BundleObject; // handles() lets only those in
      const { signerName = '' } = bundle.spec;
      if (signerName === '' || (oldObject && onlyCollectorFieldsDiffer(bundle, oldObject))) return;
      if (await maySignFor(host, user, 'attest', signerName)) return;
      throw apiError.forbidden(resource, name, `user not permitted to attest for signerName ${quote(signerName)}`);
    },
  };
};

/** The garbage collector and who waits for finalizers need not know the signer. */
function onlyCollectorFieldsDiffer(next: ApiObject, old: ApiObject): boolean {
  const besides = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences, finalizers, managedFields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return equalJson(besides(next), besides(old));
}
