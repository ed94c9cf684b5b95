import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import type { Service } from '../../resources/core/core-v1.types.js';

/** Refuses new `externalIPs` of services, because a service receives the traffic to any address that it names. */
export const denyServiceExternalIPs: AdmissionPluginFactory<Service> = () => ({
  name: 'DenyServiceExternalIPs',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['services'] }],
  validate(attributes) {
    const { object, oldObject } = attributes;
    const old = new Set(oldObject?.spec.externalIPs);
    if (object.spec.externalIPs?.every((address) => old.has(address)) ?? true) return;
    throw forbiddenRequest(attributes, 'Use of external IPs is denied by admission control');
  },
});
