import { canSharePorts } from '../http/share-ports.js';
import { conflictOf, type TlsVersion, unknownCipherSuite } from '../http/tls-choices.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import type { CliListenOptions } from './cli-server.js';
import type { FlagValues } from './flags.js';

const VERSIONS: ReadonlyMap<string, TlsVersion | undefined> = new Map([
  ['', undefined],
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3'],
]);

interface NamedFiles {
  readonly cert: string;
  readonly key: string;
  readonly names?: readonly string[];
}

/**
 * Parses an argument `cert,key:name,name`: the files of a certificate and its key, and the host names for which it is presented.
 * @throws Error in upstream's words.
 */
export function readNamedFiles(text: string): NamedFiles {
  const colon = text.indexOf(':');
  const names = colon < 0 ? undefined : text.slice(colon + 1).trim();
  if (names === '') throw new Error('empty names list is not allowed');
  const files = (colon < 0 ? text : text.slice(0, colon)).split(',').map((file) => file.trim());
  const [cert, key] = files;
  if (cert === undefined || key === undefined || files.length !== 2)
    throw new Error('expected comma separated certificate and key file paths');
  return { cert, key, ...(names === undefined ? {} : { names: names.split(',').map((name) => name.trim()) }) };
}

const problemsOfNamed = (text: string): string[] => {
  try {
    readNamedFiles(text);
    return [];
  } catch (error) {
    return [`invalid argument ${quote(text)} for "--tls-sni-cert-key" flag: ${messageOf(error)}`];
  }
};

/** Returns the errors in the TLS flags, in upstream's words. */
export function checkTls(values: FlagValues): string[] {
  const version = values['tls-min-version'];
  const suite = unknownCipherSuite(values['tls-cipher-suites'] ?? []);
  const conflict = conflictOf(tlsOptions(values));
  return [
    ...(VERSIONS.has(version) ? [] : [`unknown tls version ${JSON.stringify(version)}`]),
    ...(values['tls-sni-cert-key'] ?? []).flatMap(problemsOfNamed),
    ...(values['permit-port-sharing'] && !canSharePorts
      ? ['--permit-port-sharing is not possible: this version of Node.js cannot share a port (option reusePort)']
      : []),
    ...(suite === undefined ? [] : [`Cipher suite ${suite} not supported or doesn't exist`]),
    ...(conflict === undefined || suite !== undefined ? [] : [`error configuring http2: ${conflict}`]),
  ];
}

/** Returns the TLS flags as options of a listener. */
export function tlsOptions(
  values: FlagValues,
): Pick<CliListenOptions, 'http2' | 'minTlsVersion' | 'cipherSuites' | 'reusePort'> {
  const version = VERSIONS.get(values['tls-min-version']);
  const suites = values['tls-cipher-suites'] ?? [];
  return {
    ...(values['permit-port-sharing'] ? { reusePort: true } : {}),
    ...(values['disable-http2-serving'] ? { http2: false } : {}),
    ...(version ? { minTlsVersion: version } : {}),
    ...(suites.length > 0 ? { cipherSuites: suites } : {}),
  };
}
