import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { Ingress, IngressClass, NetworkPolicy } from './networking-v1.types.js';
export type { IPAddress, ServiceCIDR } from './networking-v1beta1.types.js';

/** networking/v1 IngressClass: a class of ingresses, and the controller that implements it. */
export const ingressClass = defineKind(
  {
    groupStem: 'networking',
    version: 'v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    scope: 'Cluster',
    tracksGeneration: true,
  },
  async () => (await import('./ingress-class.js')).ingressClassRules,
);

/** networking/v1 Ingress: routes external requests to services. */
export const ingress = defineKind(
  {
    groupStem: 'networking',
    version: 'v1',
    kind: 'Ingress',
    plural: 'ingresses',
    storedUnder: 'ingress',
    shortNames: ['ing'],
    scope: 'Namespaced',
    tracksGeneration: true,
    subresources: { status: {} },
  },
  async () => (await import('./ingress.js')).ingressRules,
);

/** networking/v1beta1 IPAddress: an allocated service address, which is also the name of the object. */
export const ipAddress = defineKind(
  {
    groupStem: 'networking',
    version: 'v1beta1',
    kind: 'IPAddress',
    plural: 'ipaddresses',
    shortNames: ['ip'],
    scope: 'Cluster',
  },
  async () => (await import('./ip-address.js')).ipAddressRules,
);

/** networking/v1 NetworkPolicy: the connections that pods may have. */
export const networkPolicy = defineKind(
  {
    groupStem: 'networking',
    version: 'v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    scope: 'Namespaced',
    tracksGeneration: true,
  },
  async () => (await import('./network-policy.js')).networkPolicyRules,
);

/** networking/v1beta1 ServiceCIDR: ranges for service addresses. */
export const serviceCIDR = defineKind(
  {
    groupStem: 'networking',
    version: 'v1beta1',
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    scope: 'Cluster',
    subresources: { status: {} },
  },
  async () => (await import('./service-cidr.js')).serviceCIDRRules,
);

/** The kinds of the group networking. */
export const networkingKinds: readonly ResourceDefinition[] = [
  ingressClass,
  ingress,
  networkPolicy,
  ipAddress,
  serviceCIDR,
];
