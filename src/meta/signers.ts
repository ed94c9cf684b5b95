import type { Dialect } from './dialect.js';

/** The built-in signers (spec 15.8). */
export interface WellKnownSigners {
  /** The signer of client certificates for the API server. */
  readonly client: string;
  /** The signer of client certificates of node agents. */
  readonly nodeClient: string;
  /** The signer of serving certificates of node agents. */
  readonly nodeServing: string;
  /** The signer of requests that named no signer. It exists for old requests; new requests with it are refused. */
  readonly legacy: string;
}

/** Returns the well-known signers with their names in an API dialect. */
export function wellKnownSigners({ labelDomain, apiServerName, nodeAgent }: Dialect): WellKnownSigners {
  return {
    client: `${labelDomain}/${apiServerName}-client`,
    nodeClient: `${labelDomain}/${apiServerName}-client-${nodeAgent}`,
    nodeServing: `${labelDomain}/${nodeAgent}-serving`,
    legacy: `${labelDomain}/legacy-unknown`,
  };
}
