import type { FlagDefinition } from '../flag-definition.js';

const aggregation = { group: 'Aggregation' } as const;

/** Flags for requests to aggregated API servers. */
export const AGGREGATION_FLAGS = [
  {
    ...aggregation,
    name: 'proxy-client-cert-file',
    type: 'string',
    help: "client certificate for aggregated API servers, PEM, for which they trust the user's headers",
  },
  { ...aggregation, name: 'proxy-client-key-file', type: 'string', help: 'key of --proxy-client-cert-file, PEM' },
  {
    ...aggregation,
    name: 'enable-aggregator-routing',
    type: 'boolean',
    default: false,
    help: 'connect to an endpoint of an aggregated API server instead of the address of its service',
  },
] as const satisfies readonly FlagDefinition[];
