/**
 * The part of an `abstract-level` database that is used here, so that the package itself is not needed: `classic-level`, `browser-level`,
 * `memory-level`, their sublevels, and whatever else implements it.
 */
export interface LevelDatabase {
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: string, options: LevelEncodings): Promise<string | undefined>;
  batch(): LevelBatch;
  /** Return how keys and values are encoded unless an operation says otherwise. */
  keyEncoding?(): { readonly name: string };
  valueEncoding?(): { readonly name: string };
  iterator(options: LevelEncodings & LevelRange): LevelIterator;
}

/** Writes that are made together or not at all. */
export interface LevelBatch {
  put(key: string, value: string, options?: LevelEncodings): unknown;
  del(key: string, options?: Pick<LevelEncodings, 'keyEncoding'>): unknown;
  /** @param options `sync` says whether the disk is flushed before the promise resolves */
  write(options: { readonly sync: boolean }): Promise<void>;
}

export interface LevelIterator {
  /** Resolves with up to `size` entries; with none at the end. */
  nextv(size: number): Promise<[key: string, value: string][]>;
  close(): Promise<void>;
}

export interface LevelEncodings {
  readonly keyEncoding: 'utf8';
  readonly valueEncoding: 'utf8';
}

export interface LevelRange {
  readonly gt?: string;
  readonly lt?: string;
  readonly highWaterMarkBytes?: number;
}

export type LevelOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/** The encodings of all operations. */
export const ENCODINGS = { keyEncoding: 'utf8', valueEncoding: 'utf8' } as const satisfies LevelEncodings;

/**
 * Writes operations together. They are given to the database one by one, because `classic-level` takes four times as long to read an array
 * of operations.
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

const AT_ONCE = 1000;
/** Large enough that reading is bounded by the database, not by the turns of the event loop. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Reads a range in chunks. */
export async function* chunksOf(database: LevelDatabase, range: LevelRange): AsyncGenerator<[string, string][]> {
  const iterator = database.iterator({ ...ENCODINGS, ...range, highWaterMarkBytes: BYTES_AT_ONCE });
  try {
    for (;;) {
      const chunk = await iterator.nextv(AT_ONCE);
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    await iterator.close();
  }
}
