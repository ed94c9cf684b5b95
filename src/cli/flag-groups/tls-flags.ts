import type { FlagDefinition } from '../flag-definition.js';

const serving = { group: 'Serving' } as const;

/** How connections are made. */
export const TLS_FLAGS = [
  {
    ...serving,
    name: 'disable-http2-serving',
    type: 'boolean',
    default: false,
    help: 'serve HTTP/1.1 only',
  },
  {
    ...serving,
    name: 'tls-min-version',
    type: 'string',
    default: '',
    help: 'least version of TLS: VersionTLS12 (unless given) or VersionTLS13',
  },
  {
    ...serving,
    name: 'tls-cipher-suites',
    type: 'list',
    help: 'suites of TLS 1.2 to offer, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 (all that are safe unless given)',
  },
] as const satisfies readonly FlagDefinition[];
