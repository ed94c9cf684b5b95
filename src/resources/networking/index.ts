import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { ingress } from './ingress.js';
import { ingressClass } from './ingress-class.js';
import { networkPolicy } from './network-policy.js';

export { type Ingress, ingress } from './ingress.js';
export { type IngressClass, ingressClass } from './ingress-class.js';
export { type NetworkPolicy, networkPolicy } from './network-policy.js';

/** The kinds of the group networking. */
export const networkingKinds: readonly ResourceDefinition[] = [ingressClass, ingress, networkPolicy];
