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

/** A part of the endpoints of a service. */
export interface EndpointSlice extends Filled<'metadata' | 'ports'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The type of all addresses: IPv4, IPv6 or FQDN; immutable. */
  readonly addressType: AddressType;
  /** The endpoints. */
  readonly endpoints: readonly Endpoint[];
  /** The ports that each endpoint has. */
  readonly ports: readonly EndpointPort[] | null;
}

/** One backend of a service. */
export interface Endpoint extends Filled<'conditions'> {
  /** The addresses, of the type of the slice. */
  readonly addresses: readonly string[];
  /** The current state. */
  readonly conditions: EndpointConditions;
  /** The host name in the domain of the service. */
  readonly hostname?: string;
  /** The object at the address. */
  readonly targetRef?: core.ObjectReference;
  /** The topology from the v1beta1 API. */
  readonly deprecatedTopology?: { readonly [key: string]: string };
  /** The node of the endpoint. */
  readonly nodeName?: string;
  /** The zone of the endpoint. */
  readonly zone?: string;
  /** Which clients should use the endpoint. */
  readonly hints?: EndpointHints;
}

/** The conditions of an endpoint. */
export interface EndpointConditions {
  /** Whether it accepts new connections; absent counts as true. */
  readonly ready?: boolean;
  /** Whether it serves, also while it terminates. */
  readonly serving?: boolean;
  /** Whether it is terminating. */
  readonly terminating?: boolean;
}

/** Which clients should use an endpoint. */
export interface EndpointHints {
  /** The zones whose clients should use the endpoint. */
  readonly forZones?: readonly ForZone[];
}

/** A zone whose clients should use an endpoint. */
export interface ForZone {
  /** Name of the zone. */
  readonly name: string;
}

/** One port of the endpoints. */
export interface EndpointPort {
  /** The name, unique in the slice. */
  readonly name?: string;
  /** TCP, UDP or SCTP. */
  readonly protocol?: core.Protocol;
  /** The port number; absent means all ports. */
  readonly port?: number;
  /** The application protocol. */
  readonly appProtocol?: string;
}
