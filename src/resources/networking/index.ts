import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { ingress } from './ingress.js';
import { ingressClass } from './ingress-class.js';
import { ipAddress } from './ip-address.js';
import { networkPolicy } from './network-policy.js';
import { serviceCIDR } from './service-cidr.js';

export { type Ingress, ingress } from './ingress.js';
export { type IngressClass, ingressClass } from './ingress-class.js';
export { type IPAddress, ipAddress } from './ip-address.js';
export { type NetworkPolicy, networkPolicy } from './network-policy.js';
export { type ServiceCIDR, serviceCIDR } from './service-cidr.js';

/** The kinds of the group networking. */
export const networkingKinds: readonly ResourceDefinition[] = [
  ingressClass,
  ingress,
  networkPolicy,
  ipAddress,
  serviceCIDR,
];
