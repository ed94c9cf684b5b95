import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { splitHostPort } from '../outbound/host-port.js';
import { hostToDial } from '../outbound/ip-address.js';
import { firstAddress } from '../resources/core/service/pools.js';
import type { CliListenOptions } from './cli-server.js';
import { readTextFile } from './files.js';
import type { FlagValues } from './flags.js';
import { selectedDialect } from './selected-dialect.js';
import { readServiceNetwork } from './service-network.js';
import { readNamedFiles, tlsOptions } from './tls-options.js';

/** Returns the options of the listener from the flags and the certificate files they name. */
export async function readListenOptions(
  values: FlagValues,
  onError: (error: unknown) => void,
): Promise<CliListenOptions> {
  const certFile = values['tls-cert-file'];
  const keyFile = values['tls-private-key-file'];
  const named = values['tls-sni-cert-key'] ?? [];
  const streams = values['http2-max-streams-per-connection'];
  const clientCA = [
    ...(await readBundle(values['client-ca-file'], 'client-ca-bundle')),
    ...(await readBundle(values['requestheader-client-ca-file'], 'request-header')),
  ];
  return {
    host: values['bind-address'],
    port: values['secure-port'],
    ...(certFile && keyFile ? { tls: await readPair('serving-cert', certFile, keyFile) } : {}),
    ...(named.length > 0 ? { namedCertificates: await Promise.all(named.map(readNamed)) } : {}),
    ...(clientCA.length > 0 ? { clientCA: clientCA.join('\n') } : {}),
    ...tlsOptions(values),
    names: servingNames(values),
    limits: {
      maxConnections: values['max-connections'],
      maxHeadBytes: values['max-head-bytes'],
      maxPendingBytes: values['max-pending-bytes'],
      ...(streams > 0 ? { maxStreams: streams } : {}),
      watchStallTimeout: values['watch-stall-timeout'],
      ...(values['request-timeout'] > 0 ? { answerTimeout: values['request-timeout'] } : {}),
    },
    onError,
  };
}

/**
 * Returns the flags with the serving certificate that `--cert-dir` contains (`apiserver.crt`, `apiserver.key`), as if flags named its files.
 * The flags are unchanged if they name another certificate, or if the folder contains none.
 * @throws Error with upstream's message when only one of the two files can be read.
 */
export async function withKeptCertificate(values: FlagValues): Promise<FlagValues> {
  const { 'cert-dir': folder } = values;
  if (!folder || values['tls-cert-file'] || values['tls-private-key-file']) return values;
  const files = [join(folder, 'apiserver.crt'), join(folder, 'apiserver.key')] as const;
  const readable = await Promise.all(
    files.map((file) =>
      access(file, constants.R_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!readable.includes(true)) return values;
  const [certificate, key] = files;
  if (readable.includes(false))
    throw new Error(
      'error creating self-signed certificates: ' +
        `error reading ${readable[0] ? key : certificate}, certificate and key must be supplied as a pair`,
    );
  return { ...values, 'tls-cert-file': certificate, 'tls-private-key-file': key };
}

async function readNamed(text: string) {
  const { cert, key, ...names } = readNamedFiles(text);
  return { ...(await readPair('sni-serving-cert', cert, key)), ...names };
}

/** Reads a certificate and its key. @throws Error with upstream's message for an empty file. */
async function readPair(name: string, certFile: string, keyFile: string) {
  const [cert, key] = [await readTextFile(certFile), await readTextFile(keyFile)];
  if (cert === '' || key === '') throw new Error(`missing content for serving cert "${name}::${certFile}::${keyFile}"`);
  return { cert, key };
}

/** Reads a CA bundle; [] if the flag is absent. An empty file is refused with upstream's message. */
async function readBundle(file: string | undefined, name: string): Promise<string[]> {
  if (file === undefined || file === '') return [];
  const text = await readTextFile(file);
  if (text === '') throw new Error(`missing content for CA bundle "${name}::${file}"`);
  return [text];
}

/**
 * Returns the names in the serving certificate that is issued at the start: the advertised addresses of the server, and the Service that
 * clients in the cluster use.
 */
function servingNames(values: FlagValues): string[] {
  const { apiService } = selectedDialect(values);
  const names = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map((domain) => apiService + domain);
  const configuredHosts = [
    hostToDial(values['advertise-address'] ?? ''),
    splitHostPort(values['external-hostname'] ?? '').host,
  ];
  const [range = ''] = readServiceNetwork(values).clusterIpRanges;
  return [...names, ...configuredHosts.filter((name) => name !== ''), firstAddress(range)];
}
