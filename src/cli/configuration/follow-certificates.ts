import type { CliListener } from '../cli-server.js';
import { readTextFile } from '../files.js';
import type { FlagValues } from '../flags.js';
import { readListenOptions } from '../listen-options.js';
import { readNamedFiles } from '../tls-options.js';
import { followFile } from './follow-file.js';

/**
 * Reads the files of certificates and keys that the flags name, by path. A file that cannot be read is empty here: what reads
 * it for use reports it.
 */
export async function readCertificateFiles(values: FlagValues): Promise<ReadonlyMap<string, string>> {
  const named = (values['tls-sni-cert-key'] ?? []).map(readNamedFiles).flatMap(({ cert, key }) => [cert, key]);
  const own = [values['tls-cert-file'], values['tls-private-key-file']];
  const authorities = [values['client-ca-file'], values['requestheader-client-ca-file']];
  const paths = new Set([...own, ...named, ...authorities].flatMap((path) => path || []));
  const read = async (path: string) => [path, await readTextFile(path).catch(() => '')] as const;
  return new Map(await Promise.all([...paths].map(read)));
}

/**
 * Shows clients the certificates of the files that the flags name, as they change.
 *
 * @param texts what `readCertificateFiles` returned before the listener's options were read: a file that has changed since is
 *   taken at once.
 * @returns what ends it.
 */
export function followCertificates(
  values: FlagValues,
  texts: ReadonlyMap<string, string>,
  listener: CliListener,
  log: (message: string) => void,
): () => void {
  // A certificate and its key change one after the other: with the second they fit again.
  const take = async () => {
    const { tls, clientCA, namedCertificates } = await readListenOptions(values, () => undefined);
    await listener.renewCertificates?.({
      ...(tls ? { tls } : {}),
      ...(clientCA ? { clientCA } : {}),
      ...(namedCertificates ? { namedCertificates } : {}),
    });
  };
  const stops = [...texts].map(([path, text]) => followFile({ path, text, take, log }));
  return () => {
    for (const stop of stops) stop();
  };
}
