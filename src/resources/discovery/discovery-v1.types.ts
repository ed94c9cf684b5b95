// Made by `npm run api-types` of discovery-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface DiscoveryV1 {
  EndpointSlice: EndpointSlice;
  Endpoint: Endpoint;
  EndpointConditions: EndpointConditions;
  EndpointHints: EndpointHints;
  ForZone: ForZone;
  EndpointPort: EndpointPort;
}

export type AddressType = string;

/** Some of the endpoints of a service. */
export interface EndpointSlice extends Filled<'metadata' | 'ports'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** What all addresses are: IPv4, IPv6 or FQDN; fixed. */
  readonly addressType: AddressType;
  /** The endpoints. */
  readonly endpoints: readonly Endpoint[];
  /** The ports that each endpoint has. */
  readonly ports: readonly EndpointPort[] | null;
}

/** One backend of a service. */
export interface Endpoint extends Filled<'conditions'> {
  /** Its addresses, all of the type of the slice. */
  readonly addresses: readonly string[];
  /** How it is. */
  readonly conditions: EndpointConditions;
  /** Its name in the domain of the service. */
  readonly hostname?: string;
  /** The object at the address. */
  readonly targetRef?: core.ObjectReference;
  /** What older versions said about its place. */
  readonly deprecatedTopology?: { readonly [key: string]: string };
  /** The node it is on. */
  readonly nodeName?: string;
  /** The zone it is in. */
  readonly zone?: string;
  /** Who should use it. */
  readonly hints?: EndpointHints;
}

/** How an endpoint is. */
export interface EndpointConditions {
  /** Whether it takes new connections; unknown counts as true. */
  readonly ready?: boolean;
  /** Whether it serves, even while it ends. */
  readonly serving?: boolean;
  /** Whether it ends. */
  readonly terminating?: boolean;
}

/** Who should use an endpoint. */
export interface EndpointHints {
  /** The zones that should. */
  readonly forZones?: readonly ForZone[];
}

/** A zone that should use an endpoint. */
export interface ForZone {
  /** Name of the zone. */
  readonly name: string;
}

/** One port of the endpoints. */
export interface EndpointPort {
  /** Its name, once in the slice. */
  readonly name?: string;
  /** TCP, UDP or SCTP. */
  readonly protocol?: core.Protocol;
  /** Its number; none means all ports. */
  readonly port?: number;
  /** What is spoken above the protocol. */
  readonly appProtocol?: string;
}
