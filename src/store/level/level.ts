import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { BackedStorage } from '../backed-storage.js';
import { jsonText } from '../backend.js';
import { type HistoryBounds, refuseUnknownBounds } from '../history.js';
import type { StorageWiring } from '../storage-factory.js';
import { type Encryption, refuseOtherEncryption, textForm, transformerOf } from '../transformer.js';
import type { LevelDatabase } from './database.js';
import { type Durability, LevelBackend } from './level-backend.js';
import { openFolder } from './open-folder.js';

/** The options of {@link level}: either `path` or `database`. */
export interface LevelOptions {
  /**
   * The folder of the data. If it is absent, it is created with mode 0700, so that other users of the machine cannot read Secrets. An existing
   * folder keeps its mode. This option needs the package `classic-level`.
   */
  readonly path?: string;
  /** A database of the `abstract-level` family, such as `new BrowserLevel('orch')` or `new MemoryLevel()`. The store opens and closes it. */
  readonly database?: LevelDatabase;
  /**
   * What an acknowledged write survives: `'process'` a killed process, `'machine'` also a crash of the machine. The latter costs a flush of
   * the disk for each group of writes. Default `'machine'`. It has an effect only for databases that support the option `sync`.
   */
  readonly durability?: Durability;
  /** The limits of the history, in memory and on the disk. Default: 5 minutes, 100,000 events, 256 MiB. */
  readonly history?: HistoryBounds;
  /** Encrypts the values; see {@link encryptionConfiguration}. Default: the values are not encrypted. */
  readonly encryption?: Encryption;
}

/**
 * Returns a `StorageFactory` that keeps all data in a LevelDB database. Reads come from memory, as with every storage. After a restart all
 * objects have their uids and versions, watches resume from any version of the history, and continue tokens stay valid. Example:
 *
 *     new ApiServer({ storage: level({ path: './data' }) })
 *
 * A database belongs to one server at a time. Opening it fails with an Error that gives the reason: in use, damaged, written by a newer
 * release, not writable.
 * @throws TypeError for an option that does not exist or has an unknown value, and if both or neither of `path` and `database` are given.
 */
export function level(
  options: LevelOptions,
): <T extends object>(wiring: StorageWiring<T>) => Promise<BackedStorage<T, string>> {
  refuseUnknownMembers('level()', options, ['path', 'database', 'durability', 'history', 'encryption']);
  refuseUnknownBounds('level()', options.history);
  refuseOtherEncryption('level()', options.encryption);
  const { path, database, durability = 'machine', history, encryption } = options;
  if ((path === undefined) === (database === undefined)) throw new TypeError('level(): give either path or database');
  if (path === '') throw new TypeError('level(): path must not be empty');
  if (durability !== 'process' && durability !== 'machine')
    throw new TypeError(`level(): durability must be 'process' or 'machine', not ${JSON.stringify(durability)}`);
  return async (wiring) => {
    const { clock } = wiring;
    const backend = new LevelBackend({
      // If `database` is absent, `path` is given, so the cast is safe.
      database: database ?? (await openFolder(path as string)),
      name: path ?? 'the database',
      durability,
      clock,
    });
    const transformer = await transformerOf(encryption, textForm, wiring, (key) => key);
    return await BackedStorage.open(backend, jsonText, { ...wiring, transformer, ...(history ? { history } : {}) });
  };
}
