import { type TlsVersion, unknownCipherSuite } from '../http/tls-choices.js';
import type { CliListenOptions } from './cli-server.js';
import type { FlagValues } from './flags.js';

const VERSIONS: ReadonlyMap<string, TlsVersion | undefined> = new Map([
  ['', undefined],
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3'],
]);

/** What is wrong with them, in the reference's words. */
export function checkTls(values: FlagValues): string[] {
  const version = values['tls-min-version'];
  const suite = unknownCipherSuite(values['tls-cipher-suites'] ?? []);
  return [
    ...(VERSIONS.has(version) ? [] : [`unknown tls version ${JSON.stringify(version)}`]),
    ...(suite === undefined ? [] : [`Cipher suite ${suite} not supported or doesn't exist`]),
  ];
}

/** The same as options of a listener. */
export function tlsOptions(values: FlagValues): Pick<CliListenOptions, 'http2' | 'minTlsVersion' | 'cipherSuites'> {
  const version = VERSIONS.get(values['tls-min-version']);
  const suites = values['tls-cipher-suites'] ?? [];
  return {
    ...(values['disable-http2-serving'] ? { http2: false } : {}),
    ...(version ? { minTlsVersion: version } : {}),
    ...(suites.length > 0 ? { cipherSuites: suites } : {}),
  };
}
