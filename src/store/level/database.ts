/**
 * The part of an `abstract-level` database that is used here, so that the package itself is not needed: `classic-level`, `browser-level`,
 * `memory-level`, their sublevels, and whatever else implements it.
 */
export interface LevelDatabase {
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: string, options: LevelEncodings): Promise<Uint8Array | undefined>;
  batch(operations: LevelOperation[], options: LevelEncodings & { readonly sync: boolean }): Promise<void>;
  iterator(options: LevelEncodings & LevelRange): LevelIterator;
}

export interface LevelIterator {
  /** Resolves with up to `size` entries; with none at the end. */
  nextv(size: number): Promise<[key: string, value: Uint8Array][]>;
  close(): Promise<void>;
}

export interface LevelEncodings {
  readonly keyEncoding: 'utf8';
  readonly valueEncoding: 'view';
}

export interface LevelRange {
  readonly gt?: string;
  readonly lt?: string;
  readonly highWaterMarkBytes?: number;
}

export type LevelOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: string };

/** The encodings of all operations. */
export const ENCODINGS = { keyEncoding: 'utf8', valueEncoding: 'view' } as const satisfies LevelEncodings;

const AT_ONCE = 1000;
/** Large enough that reading is bounded by the database, not by the turns of the event loop. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Reads a range in chunks. */
export async function* chunksOf(database: LevelDatabase, range: LevelRange): AsyncGenerator<[string, Uint8Array][]> {
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
