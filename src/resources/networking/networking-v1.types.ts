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
  /** Who serves the class. */
  readonly spec: IngressClassSpec;
}

/** Who serves the class. */
export interface IngressClassSpec {
  /** The controller, a path with a domain; fixed. */
  readonly controller?: string;
  /** The object with more of the settings. */
  readonly parameters?: IngressClassParametersReference;
}

/** The object with more of the settings. */
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

/** Which requests go where. */
export interface Ingress extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What goes where. */
  readonly spec: IngressSpec;
  /** How it is. */
  readonly status: IngressStatus;
}

/** What goes where. */
export interface IngressSpec {
  /** The class, and so who serves it. */
  readonly ingressClassName?: string;
  /** Where requests go that no rule is for. */
  readonly defaultBackend?: IngressBackend;
  /** Certificates. */
  readonly tls?: readonly IngressTLS[];
  /** Rules by host. */
  readonly rules?: readonly IngressRule[];
}

/** Where requests go. */
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
  /** Which port of it. */
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
  /** The host; none means all. */
  readonly host?: string;
  /** Rules for HTTP. */
  readonly http?: HTTPIngressRuleValue;
}

/** Rules for HTTP. */
export interface HTTPIngressRuleValue {
  /** The paths. */
  readonly paths: readonly HTTPIngressPath[];
}

/** Paths and where they go. */
export interface HTTPIngressPath {
  /** The path, or how it begins. */
  readonly path?: string;
  /** How paths are compared: Exact, Prefix or ImplementationSpecific. */
  readonly pathType?: PathType;
  /** Where requests go. */
  readonly backend: IngressBackend;
}

/** How it is. */
export interface IngressStatus extends Filled<'loadBalancer'> {
  /** Where it can be reached. */
  readonly loadBalancer: IngressLoadBalancerStatus;
}

/** Where it can be reached. */
export interface IngressLoadBalancerStatus {
  /** The places. */
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

/** One place where it can be reached. */
export interface IngressLoadBalancerIngress {
  /** The address. */
  readonly ip?: string;
  /** The name. */
  readonly hostname?: string;
  /** How its ports are. */
  readonly ports?: readonly IngressPortStatus[];
}

/** How one port is. */
export interface IngressPortStatus {
  /** Number of the port. */
  readonly port: number;
  /** TCP, UDP or SCTP. */
  readonly protocol: core.Protocol;
  /** What went wrong with it, in one word. */
  readonly error?: string;
}

/** What pods may talk to. */
export interface NetworkPolicy extends Filled<'metadata' | 'spec'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What is let through. */
  readonly spec: NetworkPolicySpec;
}

/** What is let through. */
export interface NetworkPolicySpec {
  /** The pods it is about. */
  readonly podSelector: meta.LabelSelector;
  /** What may come in. */
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  /** What may go out. */
  readonly egress?: readonly NetworkPolicyEgressRule[];
  /** The directions it is about: Ingress, Egress or both. */
  readonly policyTypes?: readonly PolicyType[];
}

/** What may come in. */
export interface NetworkPolicyIngressRule {
  /** To which ports; none means all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** From which peers; none means all. */
  readonly from?: readonly NetworkPolicyPeer[];
}

/** Ports that are let through. */
export interface NetworkPolicyPort {
  /** TCP, UDP or SCTP. */
  readonly protocol?: core.Protocol;
  /** A port by number or name; none means all. */
  readonly port?: number | string;
  /** The last of a row of ports that begins with the port. */
  readonly endPort?: number;
}

/** Who is at the other end. */
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
  /** Ranges in it that are left out. */
  readonly except?: readonly string[];
}

/** What may go out. */
export interface NetworkPolicyEgressRule {
  /** To which ports; none means all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** To which peers; none means all. */
  readonly to?: readonly NetworkPolicyPeer[];
}
