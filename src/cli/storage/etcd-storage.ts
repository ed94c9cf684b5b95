import type { ApiServerOptions } from '../../api-server-options.js';
import type { Encryption } from '../../store/transformer.js';
import { readOptionalTextFile } from '../files.js';
import type { Flags, FlagValues } from '../flags.js';

/** The flags that have no effect without `--etcd-servers`. */
const DETAILS = ['etcd-prefix', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile', 'etcd-compaction-interval'] as const;

/** Returns the errors in the flags about etcd. Messages for errors that upstream also reports are upstream's. */
export function checkEtcdFlags({ values, setFlags }: Flags): readonly string[] {
  const { 'storage-backend': backend, 'etcd-certfile': cert, 'etcd-keyfile': key } = values;
  const errors: string[] = [];
  if (backend !== undefined && backend !== '' && backend !== 'etcd3')
    errors.push("--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'");
  if (!cert !== !key) errors.push(`KeyFile and CertFile must both be present[key: ${key ?? ''}, cert: ${cert ?? ''}]`);
  if (setFlags.has('etcd-servers')) {
    if (setFlags.has('data-dir')) errors.push('--etcd-servers and --data-dir name two storages: give one');
    if ((values['etcd-servers'] ?? []).length === 0) errors.push('--etcd-servers must be specified');
    return errors;
  }
  if (backend === 'etcd3') errors.push('--etcd-servers must be specified');
  const lonely = DETAILS.find((name) => setFlags.has(name));
  if (lonely !== undefined) errors.push(`--${lonely} is about --etcd-servers: give both`);
  return errors;
}

/**
 * Returns the etcd storage that the flags configure. Its module is loaded only here.
 * @throws Error in upstream's words for a file that cannot be read, TypeError for an endpoint that is not a valid server address.
 */
export async function etcdStorage(
  values: FlagValues,
  encryption: Encryption | undefined,
): Promise<NonNullable<ApiServerOptions['storage']>> {
  const { etcd } = await import('../../store/etcd/etcd.js');
  const [ca, cert, key] = await Promise.all(
    [values['etcd-cafile'], values['etcd-certfile'], values['etcd-keyfile']].map(readOptionalTextFile),
  );
  return etcd({
    endpoints: values['etcd-servers'] ?? [],
    prefix: values['etcd-prefix'],
    compactionInterval: values['etcd-compaction-interval'],
    ...(encryption ? { encryption } : {}),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  });
}
