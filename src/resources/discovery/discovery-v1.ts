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

EndpointSlice kind                       Some of the endpoints of a service.
  addressType  4  AddressType!           What all addresses are: IPv4, IPv6 or FQDN; fixed.
  endpoints    2  []Endpoint atomic!     The endpoints.
  ports        3  []EndpointPort atomic  The ports that each endpoint has.

Endpoint                                        One backend of a service.
  addresses           1  []string set!          Its addresses, all of the type of the slice.
  conditions          2  EndpointConditions     How it is.
  hostname            3  string*                Its name in the domain of the service.
  targetRef           4  core.ObjectReference*  The object at the address.
  deprecatedTopology  5  map(string)?           What older versions said about its place.
  nodeName            6  string*                The node it is on.
  zone                7  string*                The zone it is in.
  hints               8  EndpointHints*         Who should use it.

EndpointConditions       How an endpoint is.
  ready        1  bool*  Whether it takes new connections; unknown counts as true.
  serving      2  bool*  Whether it serves, even while it ends.
  terminating  3  bool*  Whether it ends.

EndpointHints                     Who should use an endpoint.
  forZones  1  []ForZone atomic?  The zones that should.

ForZone             A zone that should use an endpoint.
  name  1  string!  Name of the zone.

EndpointPort atomic               One port of the endpoints.
  name         1  string*         Its name, once in the slice.
  protocol     2  core.Protocol*  TCP, UDP or SCTP.
  port         3  int32*          Its number; none means all ports.
  appProtocol  4  string*         What is spoken above the protocol.
`,
);
