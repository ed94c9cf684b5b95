import type { FlagDefinition } from '../flag-definition.js';

const aggregation = { group: 'Aggregation' } as const;

/** Flags for requests to aggregated API servers. */
export const AGGREGATION_FLAGS = [
  {
    ...aggregation,
    name: 'proxy-client-cert-file',
    type: 'string',
    help: "certificate to show to servers of other group versions, PEM: they believe the user's name then",
  },
  { ...aggregation, name: 'proxy-client-key-file', type: 'string', help: 'key of that certificate, PEM' },
  {
    ...aggregation,
    name: 'enable-aggregator-routing',
    type: 'boolean',
    default: false,
    help: "ask an endpoint of such a server's service rather than the address of the service",
  },
] as const satisfies readonly FlagDefinition[];
