import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { isPemText } from '../../values/pem-text.js';
import { BackedStorage } from '../backed-storage.js';
import type { Codec } from '../backend.js';
import { type HistoryBounds, refuseUnknownBounds } from '../history.js';
import type { StorageLayout, StorageWiring } from '../storage-factory.js';
import { bytesForm, type Encryption, refuseOtherEncryption, transformerOf } from '../transformer.js';
import { EtcdClient, type EtcdTls } from './client.js';
import { EtcdBackend, type EtcdKeys } from './etcd-backend.js';
import { nativeHttp2 } from './native-http2.js';

/** The options of {@link etcd}. */
export interface EtcdOptions {
  /** The URLs of the etcd members, such as `https://10.0.0.1:2379`; all `https`, or all `http`. */
  readonly endpoints: readonly string[];
  /** Certificates for `https` endpoints. Default: the system's authorities, and no client certificate. */
  readonly tls?: EtcdTls;
  /** The name and password of a user, if the cluster authenticates users by passwords. Default: none. */
  readonly user?: { readonly name: string; readonly password: string };
  /** The prefix of all keys. Servers with the same prefix share their objects. Default `/registry`. */
  readonly prefix?: string;
  /** Milliseconds between two compactions of etcd's history; 0 leaves them to other programs. Default 5 minutes. */
  readonly compactionInterval?: number;
  /** The limits of the history in memory. Default: 5 minutes, 100,000 events, 256 MiB. */
  readonly history?: HistoryBounds;
  /** Encrypts the values; see {@link encryptionConfiguration}. Default: the values are not encrypted. */
  readonly encryption?: Encryption;
}

const FIVE_MINUTES = 5 * 60_000;
/**
 * The number of past revisions that are read at the start, so that watches of clients can resume. Reading them takes about half a second.
 */
const PAST_REVISIONS = 5_000;

/**
 * Returns a `StorageFactory` that keeps all data in an etcd cluster (version 3.4 or newer), which several servers may share. Reads come
 * from memory, as with every storage; a read that must return the newest state first requests the current revision from etcd. This storage
 * needs Node.js. Example:
 *
 *     new ApiServer({ storage: etcd({ endpoints: ['https://10.0.0.1:2379'], tls: { ca, cert, key } }) })
 *
 * @throws TypeError for an option that does not exist or has a wrong value.
 */
export function etcd(
  options: EtcdOptions,
): <T extends object>(wiring: StorageWiring<T>) => Promise<BackedStorage<T, Uint8Array>> {
  refuseUnknownMembers('etcd()', options, MEMBERS);
  refuseUnknownMembers('etcd(): tls', options.tls ?? {}, ['ca', 'cert', 'key']);
  refuseUnknownBounds('etcd()', options.history);
  refuseOtherEncryption('etcd()', options.encryption);
  const { tls = {}, user, prefix = '/registry', compactionInterval = FIVE_MINUTES, history, encryption } = options;
  if (!Array.isArray(options.endpoints)) throw new TypeError('etcd(): endpoints must be a list of URLs');
  const endpoints = options.endpoints.map(readEndpoint);
  if (endpoints.length === 0) throw new TypeError('etcd(): endpoints must not be empty');
  if (new Set(endpoints.map((each) => each.startsWith('https:'))).size > 1)
    throw new TypeError('etcd(): endpoints must all begin with https, or all with http');
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw new TypeError('etcd(): tls.cert and tls.key must be given together');
  // With an empty `ca`, Node would trust every public certificate authority.
  for (const [name, text] of Object.entries(tls))
    if (text !== undefined && !isPemText(text)) throw new TypeError(`etcd(): tls.${name} must be PEM text`);
  if (!(compactionInterval >= 0)) throw new TypeError('etcd(): compactionInterval must be a number of at least 0');
  return async (wiring) => {
    const { clock, log = () => {} } = wiring;
    const layout = await wiring.layout?.();
    const client = new EtcdClient({ endpoints, tls, ...(user ? { user } : {}), http2: nativeHttp2(), clock });
    const keys = keysOf(prefix, layout);
    const backend = new EtcdBackend({
      client,
      endpoints,
      keys,
      clock,
      compactionInterval,
      log,
      history: PAST_REVISIONS,
    });
    const codec = (layout?.codec ?? jsonBytes) as Codec<Uint8Array>;
    const transformer = await transformerOf(encryption, bytesForm, wiring, (key) => keys.toEtcd(key));
    return await BackedStorage.open(backend, codec, { ...wiring, transformer, ...(history ? { history } : {}) });
  };
}

const MEMBERS = ['endpoints', 'tls', 'user', 'prefix', 'compactionInterval', 'history', 'encryption'];

/** Returns scheme, host and port of an etcd member's URL. `host:port` without a scheme means `http`. */
function readEndpoint(endpoint: string): string {
  const text = endpoint.includes('://') ? endpoint : `http://${endpoint}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (!isOrigin || url.username !== '')
    throw new TypeError(
      `etcd(): ${JSON.stringify(endpoint)} is not the URL of a member, such as https://10.0.0.1:2379`,
    );
  return url.origin;
}

/** Returns the mapping between the store's keys and etcd's keys. In etcd, `prefix` replaces the root of the store's keys. */
export function keysOf(prefix: string, layout?: Omit<StorageLayout, 'codec'>): EtcdKeys {
  const { root, toStored, fromStored, lifetimeOf } = layout ?? PLAIN;
  const names = prefix.split('/').filter((name) => name !== '');
  const begin = names.length === 0 ? '/' : `/${names.join('/')}/`;
  const marker = `${begin}progress`;
  return {
    prefix: begin,
    marker,
    toEtcd(key) {
      if (HALF_PAIR.test(key)) throw new TypeError('a key must not contain half of a surrogate pair');
      return begin + toStored(key).slice(root.length);
    },
    fromEtcd: (key) => (key === marker ? undefined : fromStored(root + key.slice(begin.length))),
    ...(lifetimeOf ? { lifetimeOf } : {}),
  };
}

/** Matches an unpaired surrogate. etcd's keys are UTF-8, which cannot encode it, so two such keys would become one. */
const HALF_PAIR = /\p{Surrogate}/u;
const PLAIN: Omit<StorageLayout, 'codec'> = { root: '', toStored: (key) => key, fromStored: (key) => key };
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Stores objects as JSON in UTF-8. */
export const jsonBytes: Codec<Uint8Array> = {
  encode: (object) => utf8.encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(fromUtf8.decode(bytes)) as object,
  // In memory an object takes about twice the bytes of its JSON.
  sizeOf: (bytes) => 2 * bytes.length,
};
