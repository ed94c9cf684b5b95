/**
 * The part of an `abstract-level` database that is used here, declared so that the package is not needed. `classic-level`, `browser-level`,
 * `memory-level` and their sublevels implement it.
 */
export interface LevelDatabase {
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: string, options: LevelEncodings): Promise<string | undefined>;
  batch(): LevelBatch;
  /** Returns the default encoding of keys. */
  keyEncoding?(): { readonly name: string };
  valueEncoding?(): { readonly name: string };
  iterator(options: LevelEncodings & LevelRange): LevelIterator;
}

/** A batch of writes, which is applied as a whole or not at all. */
export interface LevelBatch {
  put(key: string, value: string, options?: LevelEncodings): unknown;
  del(key: string, options?: Pick<LevelEncodings, 'keyEncoding'>): unknown;
  /** Writes the batch. @param options `sync` is whether the disk is flushed before the promise resolves */
  write(options: { readonly sync: boolean }): Promise<void>;
}

/** Reads the entries of a range in key order. */
export interface LevelIterator {
  /** Resolves with up to `size` entries; an empty list means the end. */
  nextv(size: number): Promise<[key: string, value: string][]>;
  close(): Promise<void>;
}

/** The encodings of the keys and values of an operation. */
export interface LevelEncodings {
  readonly keyEncoding: 'utf8';
  readonly valueEncoding: 'utf8';
}

/** A range of keys, without its bounds, and the size in bytes of the chunks that are read. */
export interface LevelRange {
  readonly gt?: string;
  readonly lt?: string;
  readonly highWaterMarkBytes?: number;
}

export type LevelOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/** The encodings that all operations use. */
export const ENCODINGS = { keyEncoding: 'utf8', valueEncoding: 'utf8' } as const satisfies LevelEncodings;

/**
 * Writes operations in one batch. They are added to the batch one by one, because `classic-level` takes four times as long for an array of
 * operations.
 * @param sync whether the disk is flushed before the promise resolves
 */
export async function writeBatch(
  database: LevelDatabase,
  operations: readonly LevelOperation[],
  sync: boolean,
): Promise<void> {
  // `abstract-level` copies all options into every operation, so the encodings are left out when they are the database's own.
  const isText =
    database.keyEncoding?.().name === ENCODINGS.keyEncoding &&
    database.valueEncoding?.().name === ENCODINGS.valueEncoding;
  const encodings = isText ? undefined : ENCODINGS;
  const batch = database.batch();
  for (const operation of operations) {
    if (operation.type === 'put') batch.put(operation.key, operation.value, encodings);
    else batch.del(operation.key, encodings);
  }
  await batch.write({ sync });
}

const ENTRIES_AT_ONCE = 1000;
/**
 * The maximum size of a chunk in bytes. With chunks of this size, the database limits the reading speed, not the number of event loop
 * turns.
 */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Reads a range in chunks. */
export async function* chunksOf(database: LevelDatabase, range: LevelRange): AsyncGenerator<[string, string][]> {
  const iterator = database.iterator({ ...ENCODINGS, ...range, highWaterMarkBytes: BYTES_AT_ONCE });
  try {
    for (;;) {
      const chunk = await iterator.nextv(ENTRIES_AT_ONCE);
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    await iterator.close();
  }
}
