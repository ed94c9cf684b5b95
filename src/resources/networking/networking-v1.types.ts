// Made by `npm run api-types` of networking-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface NetworkingV1 {
  IngressClass: IngressClass;
  IngressClassSpec: IngressClassSpec;
  IngressClassParametersReference: IngressClassParametersReference;
  Ingress: Ingress;
  IngressSpec: IngressSpec;
  IngressBackend: IngressBackend;
  IngressServiceBackend: IngressServiceBackend;
  ServiceBackendPort: ServiceBackendPort;
  IngressTLS: IngressTLS;
  IngressRule: IngressRule;
  HTTPIngressRuleValue: HTTPIngressRuleValue;
  HTTPIngressPath: HTTPIngressPath;
  IngressStatus: IngressStatus;
  IngressLoadBalancerStatus: IngressLoadBalancerStatus;
  IngressLoadBalancerIngress: IngressLoadBalancerIngress;
  IngressPortStatus: IngressPortStatus;
  NetworkPolicy: NetworkPolicy;
  NetworkPolicySpec: NetworkPolicySpec;
  NetworkPolicyIngressRule: NetworkPolicyIngressRule;
  NetworkPolicyPort: NetworkPolicyPort;
  NetworkPolicyPeer: NetworkPolicyPeer;
  IPBlock: IPBlock;
  NetworkPolicyEgressRule: NetworkPolicyEgressRule;
}

export type PathType = string;

export type PolicyType = string;

/** A class of ingresses. */
export interface IngressClass extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The controller of the class. */
  readonly spec: IngressClassSpec;
}

/** The controller of the class. */
export interface IngressClassSpec {
  /** The controller, a path with a domain; immutable. */
  readonly controller?: string;
  /** The object with further settings. */
  readonly parameters?: IngressClassParametersReference;
}

/** The object with further settings. */
export interface IngressClassParametersReference {
  /** Group of the object. */
  readonly apiGroup?: string;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /** Cluster or Namespace. */
  readonly scope?: string;
  /** Namespace of the object, if it has one. */
  readonly namespace?: string;
}

/** Routes requests to services. */
export interface Ingress extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The routing rules. */
  readonly spec: IngressSpec;
  /** The current state. */
  readonly status: IngressStatus;
}

/** The routing rules. */
export interface IngressSpec {
  /** The class, which determines the controller. */
  readonly ingressClassName?: string;
  /** The backend of requests that match no rule. */
  readonly defaultBackend?: IngressBackend;
  /** Certificates. */
  readonly tls?: readonly IngressTLS[];
  /** Rules by host. */
  readonly rules?: readonly IngressRule[];
}

/** The backend of requests. */
export interface IngressBackend {
  /** A service. */
  readonly service?: IngressServiceBackend;
  /** Another object of the namespace. */
  readonly resource?: core.TypedLocalObjectReference;
}

/** A service. */
export interface IngressServiceBackend extends Filled<'port'> {
  /** Name of the service. */
  readonly name: string;
  /** The port of the service. */
  readonly port: ServiceBackendPort;
}

/** A port of a service, by name or number. */
export interface ServiceBackendPort {
  /** Name of the port. */
  readonly name?: string;
  /** Number of the port. */
  readonly number?: number;
}

/** A certificate for hosts. */
export interface IngressTLS {
  /** The hosts. */
  readonly hosts?: readonly string[];
  /** The secret with the certificate and its key. */
  readonly secretName?: string;
}

/** Rules for a host. */
export interface IngressRule {
  /** The host; absent means all. */
  readonly host?: string;
  /** Rules for HTTP. */
  readonly http?: HTTPIngressRuleValue;
}

/** Rules for HTTP. */
export interface HTTPIngressRuleValue {
  /** The paths. */
  readonly paths: readonly HTTPIngressPath[];
}

/** Paths and their backend. */
export interface HTTPIngressPath {
  /** The path, or its prefix. */
  readonly path?: string;
  /** How paths are compared: Exact, Prefix or ImplementationSpecific. */
  readonly pathType?: PathType;
  /** The backend of requests. */
  readonly backend: IngressBackend;
}

/** The current state. */
export interface IngressStatus extends Filled<'loadBalancer'> {
  /** The addresses of the load balancer. */
  readonly loadBalancer: IngressLoadBalancerStatus;
}

/** The addresses of the load balancer. */
export interface IngressLoadBalancerStatus {
  /** The addresses. */
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

/** An address of the load balancer. */
export interface IngressLoadBalancerIngress {
  /** The address. */
  readonly ip?: string;
  /** The name. */
  readonly hostname?: string;
  /** The states of the ports. */
  readonly ports?: readonly IngressPortStatus[];
}

/** The state of a port. */
export interface IngressPortStatus {
  /** Number of the port. */
  readonly port: number;
  /** TCP, UDP or SCTP. */
  readonly protocol: core.Protocol;
  /** The error, in one word. */
  readonly error?: string;
}

/** Restricts the network traffic of pods. */
export interface NetworkPolicy extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The allowed traffic. */
  readonly spec: NetworkPolicySpec;
}

/** The allowed traffic. */
export interface NetworkPolicySpec {
  /** The pods that the policy applies to. */
  readonly podSelector: meta.LabelSelector;
  /** The allowed incoming traffic. */
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  /** The allowed outgoing traffic. */
  readonly egress?: readonly NetworkPolicyEgressRule[];
  /** The directions that it restricts: Ingress, Egress or both. */
  readonly policyTypes?: readonly PolicyType[];
}

/** The allowed incoming traffic. */
export interface NetworkPolicyIngressRule {
  /** The ports; an empty list means all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** The sources; an empty list means all. */
  readonly from?: readonly NetworkPolicyPeer[];
}

/** Allowed ports. */
export interface NetworkPolicyPort {
  /** TCP, UDP or SCTP. */
  readonly protocol?: core.Protocol;
  /** A port by number or name; absent means all. */
  readonly port?: number | string;
  /** The last port of a range that begins with port. */
  readonly endPort?: number;
}

/** A peer of a connection. */
export interface NetworkPolicyPeer {
  /** Pods by their labels. */
  readonly podSelector?: meta.LabelSelector;
  /** Namespaces by their labels. */
  readonly namespaceSelector?: meta.LabelSelector;
  /** A range of addresses. */
  readonly ipBlock?: IPBlock;
}

/** A range of addresses. */
export interface IPBlock {
  /** The range. */
  readonly cidr: string;
  /** Excluded ranges within it. */
  readonly except?: readonly string[];
}

/** The allowed outgoing traffic. */
export interface NetworkPolicyEgressRule {
  /** The ports; an empty list means all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** The destinations; an empty list means all. */
  readonly to?: readonly NetworkPolicyPeer[];
}
