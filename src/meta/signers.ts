import type { Dialect } from './dialect.js';

/** The signers the system knows itself (spec 15.8). */
export interface WellKnownSigners {
  /** Client certificates for the API server. */
  readonly client: string;
  /** Client certificates of node agents. */
  readonly nodeClient: string;
  /** Serving certificates of node agents. */
  readonly nodeServing: string;
  /** From before requests named a signer; may no longer be asked for. */
  readonly legacy: string;
}

/** The well-known signers under a dialect's names. */
export function wellKnownSigners({ labelDomain, apiServerName, nodeAgent }: Dialect): WellKnownSigners {
  return {
    client: `${labelDomain}/${apiServerName}-client`,
    nodeClient: `${labelDomain}/${apiServerName}-client-${nodeAgent}`,
    nodeServing: `${labelDomain}/${nodeAgent}-serving`,
    legacy: `${labelDomain}/legacy-unknown`,
  };
}
