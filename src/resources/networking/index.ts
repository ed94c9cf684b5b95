import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { ingress } from './ingress.js';
import { ingressClass } from './ingress-class.js';
import { ipAddress } from './ip-address.js';
import { networkPolicy } from './network-policy.js';
import { serviceCIDR } from './service-cidr.js';

export type { Ingress, IngressClass, NetworkPolicy } from './networking-v1.types.js';
export type { IPAddress, ServiceCIDR } from './networking-v1beta1.types.js';
export { ingress, ingressClass, ipAddress, networkPolicy, serviceCIDR };

/** The kinds of the group networking. */
export const networkingKinds: readonly ResourceDefinition[] = [
  ingressClass,
  ingress,
  networkPolicy,
  ipAddress,
  serviceCIDR,
];
