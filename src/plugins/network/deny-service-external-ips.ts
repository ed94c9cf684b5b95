import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import type { ApiObject } from '../../meta/object-meta.js';

interface ServiceObject extends ApiObject {
  readonly spec?: { readonly externalIPs?: readonly string[] };
}
const addressesOf = (service: ApiObject | undefined) => (service as ServiceObject | undefined)?.spec?.externalIPs ?? [];

/** Refuses additional external addresses of services, because a service receives the traffic to any address that it names. */
export const denyServiceExternalIPs: AdmissionPluginFactory = () => ({
  name: 'DenyServiceExternalIPs',
  handles: ({ operation, resource, subresource }) =>
    (operation === 'CREATE' || operation === 'UPDATE') &&
    resource.resource === 'services' &&
    resource.group === '' &&
    subresource === '',
  validate(attributes) {
    const old = new Set(addressesOf(attributes.oldObject));
    if (addressesOf(attributes.object).every((address) => old.has(address))) return;
    throw forbiddenRequest(attributes, 'Use of external IPs is denied by admission control');
  },
});
