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
    help: 'minimum version of TLS, VersionTLS12 (the default) or VersionTLS13',
  },
  {
    ...serving,
    name: 'tls-cipher-suites',
    type: 'list',
    help: 'cipher suites of TLS 1.2, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 (default: all secure ones)',
  },
  {
    ...serving,
    name: 'tls-sni-cert-key',
    type: 'list',
    whole: true,
    help: 'certificate and key for other server names, cert.pem,key.pem[:name,*.name]; repeatable',
  },
  {
    ...serving,
    name: 'permit-port-sharing',
    type: 'boolean',
    default: false,
    help: 'allow other processes to listen on the same port (Node 23.1 and later)',
  },
  {
    ...serving,
    name: 'permit-address-sharing',
    type: 'boolean',
    default: false,
    help: 'accepted without effect: recently used addresses are always reused',
  },
] as const satisfies readonly FlagDefinition[];
