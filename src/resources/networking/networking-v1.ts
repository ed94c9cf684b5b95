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
  spec  2  IngressClassSpec  Who serves the class.

IngressClassSpec                                   Who serves the class.
  controller  1  string?                           The controller, a path with a domain; fixed.
  parameters  2  IngressClassParametersReference*  The object with more of the settings.

IngressClassParametersReference  The object with more of the settings.
  apiGroup   1  string*  Group of the object.
  kind       2  string!  Kind of the object.
  name       3  string!  Name of the object.
  scope      4  string*  Cluster or Namespace.
  namespace  5  string*  Namespace of the object, if it has one.

Ingress kind                Which requests go where.
  spec    2  IngressSpec    What goes where.
  status  3  IngressStatus  How it is.

IngressSpec                                   What goes where.
  ingressClassName  4  string*                The class, and so who serves it.
  defaultBackend    1  IngressBackend*        Where requests go that no rule is for.
  tls               2  []IngressTLS atomic?   Certificates.
  rules             3  []IngressRule atomic?  Rules by host.

IngressBackend                                  Where requests go.
  service   4  IngressServiceBackend*           A service.
  resource  3  core.TypedLocalObjectReference*  Another object of the namespace.

IngressServiceBackend          A service.
  name  1  string!             Name of the service.
  port  2  ServiceBackendPort  Which port of it.

ServiceBackendPort atomic  A port of a service, by name or number.
  name    1  string?  Name of the port.
  number  2  int32?   Number of the port.

IngressTLS                         A certificate for hosts.
  hosts       1  []string atomic?  The hosts.
  secretName  2  string?           The secret with the certificate and its key.

IngressRule                         Rules for a host.
  host    1  string?                The host; none means all.
  http  2.1  HTTPIngressRuleValue*  Rules for HTTP.

HTTPIngressRuleValue                   Rules for HTTP.
  paths  1  []HTTPIngressPath atomic!  The paths.

HTTPIngressPath                    Paths and where they go.
  path      1  string?             The path, or how it begins.
  pathType  3  PathType* required  How paths are compared: Exact, Prefix or ImplementationSpecific.
  backend   2  IngressBackend!     Where requests go.

IngressStatus                                 How it is.
  loadBalancer  1  IngressLoadBalancerStatus  Where it can be reached.

IngressLoadBalancerStatus                           Where it can be reached.
  ingress  1  []IngressLoadBalancerIngress atomic?  The places.

IngressLoadBalancerIngress                  One place where it can be reached.
  ip        1  string?                      The address.
  hostname  2  string?                      The name.
  ports     4  []IngressPortStatus atomic?  How its ports are.

IngressPortStatus              How one port is.
  port      1  int32!          Number of the port.
  protocol  2  core.Protocol!  TCP, UDP or SCTP.
  error     3  string*         What went wrong with it, in one word.

NetworkPolicy kind            What pods may talk to.
  spec  2  NetworkPolicySpec  What is let through.

NetworkPolicySpec                                     What is let through.
  podSelector  1  meta.LabelSelector!                 The pods it is about.
  ingress      2  []NetworkPolicyIngressRule atomic?  What may come in.
  egress       3  []NetworkPolicyEgressRule atomic?   What may go out.
  policyTypes  4  []PolicyType atomic?                The directions it is about: Ingress, Egress or both.

NetworkPolicyIngressRule                 What may come in.
  ports  1  []NetworkPolicyPort atomic?  To which ports; none means all.
  from   2  []NetworkPolicyPeer atomic?  From which peers; none means all.

NetworkPolicyPort              Ports that are let through.
  protocol  1  core.Protocol*  TCP, UDP or SCTP.
  port      2  IntOrString*    A port by number or name; none means all.
  endPort   3  int32*          The last of a row of ports that begins with the port.

NetworkPolicyPeer                            Who is at the other end.
  podSelector        1  meta.LabelSelector*  Pods by their labels.
  namespaceSelector  2  meta.LabelSelector*  Namespaces by their labels.
  ipBlock            3  IPBlock*             A range of addresses.

IPBlock                        A range of addresses.
  cidr    1  string!           The range.
  except  2  []string atomic?  Ranges in it that are left out.

NetworkPolicyEgressRule                  What may go out.
  ports  1  []NetworkPolicyPort atomic?  To which ports; none means all.
  to     2  []NetworkPolicyPeer atomic?  To which peers; none means all.
`,
);
