import { apiError } from '../meta/api-error.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { AdmissionPluginFactory } from './admission-plugin.js';

interface PodLike extends ApiObject {
  readonly spec?: { readonly serviceAccountName?: string; readonly serviceAccount?: string };
}

const PODS = { group: '', resource: 'pods' } as const;
const MIRROR_ANNOTATION = 'config.mirror';

/** Gives every new pod an account, and refuses one whose account is not there (gaps-identity, service accounts). */
export const serviceAccountAdmission: AdmissionPluginFactory = (host) => {
  const accounts = host.lister('', 'serviceaccounts');
  const mirror = `${host.dialect.labelDomain}/${MIRROR_ANNOTATION}`;
  return {
    name: 'ServiceAccount',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && resource.group === '' && resource.resource === 'pods' && subresource === '',
    admit({ object, namespace, name }) {
      const pod = object as PodLike; // handles() lets only pods in
      if (pod.metadata.annotations?.[mirror] !== undefined) return undefined;
      const account = pod.spec?.serviceAccountName || 'default';
      if (!accounts.get(namespace, account))
        throw apiError.forbidden(
          PODS,
          name,
          `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
        );
      const spec = { ...pod.spec, serviceAccountName: account, serviceAccount: account };
      return { ...pod, spec } as ApiObject;
    },
  };
};
