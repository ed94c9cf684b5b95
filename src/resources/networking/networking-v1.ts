import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { NetworkingV1 } from './networking-v1.types.js';

/** The structs of networking/v1. */
export const networkingV1 = /* @__PURE__ */ fieldTable<NetworkingV1>(
  'io.k8s.api.networking.v1',
  { core: coreV1, meta: metaV1 },
  `
PathType = string {Exact, ImplementationSpecific, Prefix}
PolicyType = string {Egress, Ingress}

IngressClass kind            A class of ingresses.
  spec  2  IngressClassSpec  The controller of the class.

IngressClassSpec                                   The controller of the class.
  controller  1  string?                           The controller, a path with a domain; immutable.
  parameters  2  IngressClassParametersReference*  The object with further settings.

IngressClassParametersReference  The object with further settings.
  apiGroup   1  string*  Group of the object.
  kind       2  string!  Kind of the object.
  name       3  string!  Name of the object.
  scope      4  string*  Cluster or Namespace.
  namespace  5  string*  Namespace of the object, if it has one.

Ingress kind                Routes requests to services.
  spec    2  IngressSpec    The routing rules.
  status  3  IngressStatus  The current state.

IngressSpec                                   The routing rules.
  ingressClassName  4  string*                The class, which determines the controller.
  defaultBackend    1  IngressBackend*        The backend of requests that match no rule.
  tls               2  []IngressTLS atomic?   Certificates.
  rules             3  []IngressRule atomic?  Rules by host.

IngressBackend                                  The backend of requests.
  service   4  IngressServiceBackend*           A service.
  resource  3  core.TypedLocalObjectReference*  Another object of the namespace.

IngressServiceBackend          A service.
  name  1  string!             Name of the service.
  port  2  ServiceBackendPort  The port of the service.

ServiceBackendPort atomic  A port of a service, by name or number.
  name    1  string?  Name of the port.
  number  2  int32?   Number of the port.

IngressTLS                         A certificate for hosts.
  hosts       1  []string atomic?  The hosts.
  secretName  2  string?           The secret with the certificate and its key.

IngressRule                         Rules for a host.
  host    1  string?                The host; absent means all.
  http  2.1  HTTPIngressRuleValue*  Rules for HTTP.

HTTPIngressRuleValue                   Rules for HTTP.
  paths  1  []HTTPIngressPath atomic!  The paths.

HTTPIngressPath                    Paths and their backend.
  path      1  string?             The path, or its prefix.
  pathType  3  PathType* required  How paths are compared: Exact, Prefix or ImplementationSpecific.
  backend   2  IngressBackend!     The backend of requests.

IngressStatus                                 The current state.
  loadBalancer  1  IngressLoadBalancerStatus  The addresses of the load balancer.

IngressLoadBalancerStatus                           The addresses of the load balancer.
  ingress  1  []IngressLoadBalancerIngress atomic?  The addresses.

IngressLoadBalancerIngress                  An address of the load balancer.
  ip        1  string?                      The address.
  hostname  2  string?                      The name.
  ports     4  []IngressPortStatus atomic?  The states of the ports.

IngressPortStatus              The state of a port.
  port      1  int32!          Number of the port.
  protocol  2  core.Protocol!  TCP, UDP or SCTP.
  error     3  string*         The error, in one word.

NetworkPolicy kind            Restricts the network traffic of pods.
  spec  2  NetworkPolicySpec  The allowed traffic.

NetworkPolicySpec                                     The allowed traffic.
  podSelector  1  meta.LabelSelector!                 The pods that the policy applies to.
  ingress      2  []NetworkPolicyIngressRule atomic?  The allowed incoming traffic.
  egress       3  []NetworkPolicyEgressRule atomic?   The allowed outgoing traffic.
  policyTypes  4  []PolicyType atomic?                The directions that it restricts: Ingress, Egress or both.

NetworkPolicyIngressRule                 The allowed incoming traffic.
  ports  1  []NetworkPolicyPort atomic?  The ports; an empty list means all.
  from   2  []NetworkPolicyPeer atomic?  The sources; an empty list means all.

NetworkPolicyPort              Allowed ports.
  protocol  1  core.Protocol*  TCP, UDP or SCTP.
  port      2  IntOrString*    A port by number or name; absent means all.
  endPort   3  int32*          The last port of a range that begins with port.

NetworkPolicyPeer                            A peer of a connection.
  podSelector        1  meta.LabelSelector*  Pods by their labels.
  namespaceSelector  2  meta.LabelSelector*  Namespaces by their labels.
  ipBlock            3  IPBlock*             A range of addresses.

IPBlock                        A range of addresses.
  cidr    1  string!           The range.
  except  2  []string atomic?  Excluded ranges within it.

NetworkPolicyEgressRule                  The allowed outgoing traffic.
  ports  1  []NetworkPolicyPort atomic?  The ports; an empty list means all.
  to     2  []NetworkPolicyPeer atomic?  The destinations; an empty list means all.
`,
);
