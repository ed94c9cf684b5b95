import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import {
  type CommittedWrite,
  type Entry,
  MemoryState,
  type MemoryStateOptions,
  ReadingStorage,
  type StorageFactory,
  type StorageWiring,
  StoreError,
  type TryUpdate,
  type Update,
  type UpdateResult,
  updateUntilCommitted,
  type WaitOptions,
} from 'orch-apiserver/storage';

/** A storage in one file, with a line of JSON for each write. Reads are served from memory, as in every storage. */
export function logFile(path: string): StorageFactory {
  return (wiring) => new LogFile(path, wiring);
}

export class LogFile<T extends object> extends ReadingStorage<T> {
  readonly #file: number;
  readonly #state: MemoryState<T>;
  readonly #wiring: StorageWiring<T>;
  #size: number;

  /** @throws SyntaxError for an incomplete line, unless it is the last one. */
  constructor(path: string, wiring: StorageWiring<T> & Pick<MemoryStateOptions<T>, 'history'>) {
    const { entries, revision, size } = readLog<T>(path);
    const state = new MemoryState({ ...wiring, entries, firstRevision: revision });
    super(state);
    this.#state = state;
    this.#wiring = wiring;
    this.#file = openSync(path, 'a');
    this.#size = size;
    ftruncateSync(this.#file, size); // an interrupted write was never acknowledged
  }

  async guaranteedUpdate(key: string, tryUpdate: TryUpdate<T>, options: WaitOptions = {}): Promise<UpdateResult<T>> {
    this.#assertOpen();
    return updateUntilCommitted(this.#state, key, tryUpdate, (old, update) => this.#commit(key, old, update), options);
  }

  async close(): Promise<void> {
    if (this.#state.isClosed) return;
    this.#state.close();
    closeSync(this.#file);
  }

  #commit(key: string, old: Entry<T> | undefined, update: Update<T>): UpdateResult<T> {
    this.#assertOpen(); // the storage may have been closed while tryUpdate waited
    if (update.action === 'put') {
      if (old && this.#wiring.equals(old.value, update.value)) return { entry: old, outcome: 'unchanged' };
      return { entry: this.#write('put', key, update.value), outcome: old ? 'updated' : 'created' };
    }
    if (update.action === 'keep' || !old) return { entry: old, outcome: 'unchanged' };
    return { entry: this.#write('delete', key, update.value ?? old.value), outcome: 'deleted' };
  }

  /** Writes to the disk first and to memory second, so that no reader sees a write that could still be lost. */
  #write(type: 'put' | 'delete', key: string, value: T): Entry<T> {
    const revision = this.#state.revision + 1;
    const write: CommittedWrite<T> = { type, key, value: this.#wiring.stamp(value, revision), revision };
    const line = Buffer.from(`${JSON.stringify(write)}\n`);
    try {
      for (let sent = 0; sent < line.length; ) sent += writeSync(this.#file, line, sent);
      fsyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, this.#size); // otherwise the next line would be appended to half a line
      throw error;
    }
    this.#size += line.length;
    return this.#state.apply(write);
  }

  #assertOpen(): void {
    if (this.#state.isClosed) throw new StoreError('closed', 'the store was closed');
  }
}

function readLog<T>(path: string): { entries: Iterable<Entry<T>>; revision: number; size: number } {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const entries = new Map<string, Entry<T>>();
  let revision = 1;
  for (const line of whole.toString().split('\n').slice(0, -1)) {
    const write: CommittedWrite<T> = JSON.parse(line); // only this class writes the file, so the cast is safe
    revision = write.revision;
    const { createRevision = revision } = entries.get(write.key) ?? {};
    if (write.type === 'delete') entries.delete(write.key);
    else entries.set(write.key, { key: write.key, value: write.value, revision, createRevision });
  }
  return { entries: entries.values(), revision, size: whole.length };
}
