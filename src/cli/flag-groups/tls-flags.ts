import type { FlagDefinition } from '../flag-definition.js';

const serving = { group: 'Serving' } as const;

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
  {
    ...serving,
    name: 'tls-sni-cert-key',
    type: 'list',
    whole: true,
    help: 'certificate and key for clients that ask for other names, cert.pem,key.pem[:name,*.name]; repeatable',
  },
  {
    ...serving,
    name: 'permit-port-sharing',
    type: 'boolean',
    default: false,
    help: 'let other processes listen on the same port (Node 23.1 and later)',
  },
  {
    ...serving,
    name: 'permit-address-sharing',
    type: 'boolean',
    default: false,
    help: 'accepted; addresses that were in use a moment ago are always taken again',
  },
] as const satisfies readonly FlagDefinition[];
