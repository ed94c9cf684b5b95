import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { DiscoveryV1 } from './discovery-v1.types.js';

/** The structs of discovery/v1. */
export const discoveryV1 = /* @__PURE__ */ fieldTable<DiscoveryV1>(
  'io.k8s.api.discovery.v1',
  { core: coreV1, meta: metaV1 },
  `
AddressType = string {FQDN, IPv4, IPv6}

EndpointSlice kind                       A part of the endpoints of a service.
  addressType  4  AddressType!           The type of all addresses: IPv4, IPv6 or FQDN; immutable.
  endpoints    2  []Endpoint atomic!     The endpoints.
  ports        3  []EndpointPort atomic  The ports that each endpoint has.

Endpoint                                        One backend of a service.
  addresses           1  []string set!          The addresses, of the type of the slice.
  conditions          2  EndpointConditions     The current state.
  hostname            3  string*                The host name in the domain of the service.
  targetRef           4  core.ObjectReference*  The object at the address.
  deprecatedTopology  5  map(string)?           The topology from the v1beta1 API.
  nodeName            6  string*                The node of the endpoint.
  zone                7  string*                The zone of the endpoint.
  hints               8  EndpointHints*         Which clients should use the endpoint.

EndpointConditions       The conditions of an endpoint.
  ready        1  bool*  Whether it accepts new connections; absent counts as true.
  serving      2  bool*  Whether it serves, also while it terminates.
  terminating  3  bool*  Whether it is terminating.

EndpointHints                     Which clients should use an endpoint.
  forZones  1  []ForZone atomic?  The zones whose clients should use the endpoint.

ForZone             A zone whose clients should use an endpoint.
  name  1  string!  Name of the zone.

EndpointPort atomic               One port of the endpoints.
  name         1  string*         The name, unique in the slice.
  protocol     2  core.Protocol*  TCP, UDP or SCTP.
  port         3  int32*          The port number; absent means all ports.
  appProtocol  4  string*         The application protocol.
`,
);
