import type { CliListener } from '../cli-server.js';
import { readTextFile } from '../files.js';
import type { FlagValues } from '../flags.js';
import { readListenOptions } from '../listen-options.js';
import { readNamedFiles } from '../tls-options.js';
import { followFile } from './follow-file.js';

/**
 * Reads the files with certificates and keys that the flags name. Returns their contents by path. The content of a file that cannot be read
 * is '', because the error is reported when the file is used.
 */
export async function readCertificateFiles(values: FlagValues): Promise<ReadonlyMap<string, string>> {
  const named = (values['tls-sni-cert-key'] ?? []).map(readNamedFiles).flatMap(({ cert, key }) => [cert, key]);
  const own = [values['tls-cert-file'], values['tls-private-key-file']];
  const paths = new Set([...own, ...named].flatMap((path) => path || []).concat(authorityFiles(values)));
  const read = async (path: string) => [path, await readTextFile(path).catch(() => '')] as const;
  return new Map(await Promise.all([...paths].map(read)));
}

const authorityFiles = (values: FlagValues): readonly string[] =>
  [values['client-ca-file'], values['requestheader-client-ca-file']].flatMap((path) => path || []);

/** Checks the files with certificate authorities, because a listener does not. @throws Error for a file without a certificate */
async function checkAuthorityFiles(values: FlagValues): Promise<void> {
  const { pemCertificates } = await import('../../pki/pem-certificates.js');
  for (const path of authorityFiles(values))
    if (pemCertificates(await readTextFile(path)).length === 0) throw new Error(`${path} contains no certificate`);
}

/**
 * Updates the certificates of the listener whenever the files that the flags name change.
 * @param texts the result of `readCertificateFiles` from before the listener's options were read. A file that has changed since then is
 * used at once.
 * @returns a function that stops the updates.
 */
export function followCertificates(
  values: FlagValues,
  texts: ReadonlyMap<string, string>,
  listener: CliListener,
  log: (message: string) => void,
): () => void {
  // Operators replace a certificate and its key one after the other. After the first replacement the two do not match and this function
  // fails; after the second it succeeds.
  const take = async () => {
    const { tls, clientCA, namedCertificates } = await readListenOptions(values, () => undefined);
    await checkAuthorityFiles(values);
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
