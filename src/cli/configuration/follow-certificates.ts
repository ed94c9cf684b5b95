import type { CliListener } from '../cli-server.js';
import { readTextFile } from '../files.js';
import type { FlagValues } from '../flags.js';
import { readListenOptions } from '../listen-options.js';
import { readNamedFiles } from '../tls-options.js';
import { followFile } from './follow-file.js';

/** Shows clients the certificates of the files that the flags name, as they change. @returns what ends it. */
export async function followCertificates(
  values: FlagValues,
  listener: CliListener,
  log: (message: string) => void,
): Promise<() => void> {
  const named = (values['tls-sni-cert-key'] ?? []).map(readNamedFiles).flatMap(({ cert, key }) => [cert, key]);
  const own = [values['tls-cert-file'], values['tls-private-key-file']];
  const authorities = [values['client-ca-file'], values['requestheader-client-ca-file']];
  const paths = new Set([...own, ...named, ...authorities].flatMap((path) => path || []));
  // A certificate and its key change one after the other: with the second they fit again.
  const take = async () => {
    const { tls, clientCA, namedCertificates } = await readListenOptions(values, () => undefined);
    await listener.renewCertificates?.({
      ...(tls ? { tls } : {}),
      ...(clientCA ? { clientCA } : {}),
      ...(namedCertificates ? { namedCertificates } : {}),
    });
  };
  const stops = await Promise.all(
    [...paths].map(async (path) => followFile({ path, text: await readTextFile(path), take, log })),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
