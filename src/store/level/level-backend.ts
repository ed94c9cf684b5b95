import { type Clock, isYoung, reading } from '../../meta/clock.js';
import { nextTurn } from '../../meta/flow.js';
import type {
  Backend,
  BackendInitialState,
  BackendObserver,
  BackendRecord,
  BackendState,
  OptimisticResult,
} from '../backend.js';
import { StoreError } from '../storage.js';
import { chunksOf, ENCODINGS, type LevelDatabase, type LevelOperation, writeBatch } from './database.js';
import { explainOpenError, throwProblem, writeError } from './problems.js';
import { hasState, readState } from './read-state.js';
import {
  AFTER_RECORDS,
  afterRevision,
  BASE_KEY,
  decodeNumber,
  encodeRecord,
  FORMAT,
  FORMAT_KEY,
  OPENED_KEY,
  recordKey,
  SUM,
} from './record.js';
import { type Compaction, type Version, Versions } from './versions.js';

/** What an acknowledged write survives: a sudden end of the process (`process`), or a crash of the whole machine (`machine`). */
export type Durability = 'process' | 'machine';

export interface LevelBackendOptions {
  readonly database: LevelDatabase;
  /** The name of the database in messages. */
  readonly name: string;
  readonly durability: Durability;
  readonly clock: Clock;
}

/** A write that waits for its commit. */
interface Waiting {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly value: string | undefined;
  /** The version that the write replaces or removes. It stays the newest version, because a key has no other write under way. */
  readonly before: Version | undefined;
  readonly resolve: (result: OptimisticResult) => void;
  readonly reject: (error: unknown) => void;
}

const NOT_COMMITTED: OptimisticResult = { committed: false };

/** Matches an unpaired surrogate. LevelDB keys are UTF-8, which cannot encode it, so two such keys would become one. */
const HALF_PAIR = /\p{Surrogate}/u;
/** The maximum numbers of writes and of characters in one commit. They are limited so that no write waits long for the others. */
const MAX_GROUP = 1000;
const MAX_GROUP_LENGTH = 8 * 1024 * 1024;
/** The number of turns of the event loop without another write after which a commit begins. */
const QUIET_TURNS = 4;
/** The maximum time in milliseconds for which a commit waits for more writes. */
const LONGEST_GATHERING = 5;
/** The minimum number of dropped events that are removed from the disk at once. */
const EVENTS_PER_COMPACTION = 512;
/** The minimum time between two attempts to reopen a database after a failed write, in milliseconds. */
const REOPEN_INTERVAL = 1000;
/** The maximum time in milliseconds that a write waits for the disk. etcd has the same limit: 5 s plus twice its election timeout. */
const LONGEST_COMMIT = 7000;
/** The revision of an empty store. It is not 0, because a list must not have the resourceVersion 0. */
const FIRST_REVISION = 1;

/**
 * Keeps every write as one record of a LevelDB database, see `record.ts`. Writes that arrive while a commit is under way are committed
 * together by the next one, with one flush of the disk. The storage begins a write of a key only after the previous one has ended.
 */
export class LevelBackend implements Backend<string> {
  readonly #database: LevelDatabase;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #durability: Durability;
  #observer: BackendObserver<string> | undefined;
  #versions = new Versions({ revision: FIRST_REVISION, count: 0, sum: 0 });
  #revision = FIRST_REVISION;
  #opened = 0;
  #waiting: Waiting[] = [];
  #compactable = 0;
  #flushing: Promise<void> | undefined;
  /**
   * The error with which the writes of the current commit were rejected because it took too long; undefined while it is within the limit.
   */
  #timeoutError: StoreError | undefined;
  #failure: { readonly error: StoreError; readonly time: number } | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor({ database, name, durability, clock }: LevelBackendOptions) {
    this.#database = database;
    this.#name = name;
    this.#clock = clock;
    this.#durability = durability;
  }

  async open(observer: BackendObserver<string>, initial?: BackendInitialState<string>): Promise<BackendState<string>> {
    try {
      await this.#database.open();
      return await this.#read(observer, initial);
    } catch (error) {
      await this.#database.close().catch(() => {});
      throw explainOpenError(this.#name, error);
    }
  }

  async #read(
    observer: BackendObserver<string>,
    initial: BackendInitialState<string> | undefined,
  ): Promise<BackendState<string>> {
    if (!(await hasState(this.#database))) await this.#begin(initial);
    const { versions, revision, ...state } = await readState(this.#database, throwProblem);
    this.#versions = versions;
    this.#revision = revision;
    this.#opened = (decodeNumber(await this.#database.get(OPENED_KEY, ENCODINGS)) ?? 0) + 1;
    // A database that cannot be written is detected by this write at the start, instead of at the first request.
    await this.#batch([{ type: 'put', key: OPENED_KEY, value: JSON.stringify(this.#opened) }]);
    this.#observer = observer;
    return state;
  }

  /** Writes the first state in one batch, so that it is stored as a whole or not at all. */
  async #begin(
    { revision, entries }: BackendInitialState<string> = { revision: FIRST_REVISION, entries: [] },
  ): Promise<void> {
    const time = this.#clock.now();
    const sum = entries.reduce((total, entry) => (total + entry.revision) % SUM, 0);
    await this.#batch([
      ...entries.map((entry) => putOf({ time, ...entry, type: 'put' })),
      { type: 'put', key: BASE_KEY, value: JSON.stringify({ revision, count: entries.length, sum }) },
      { type: 'put', key: FORMAT_KEY, value: JSON.stringify(FORMAT) },
    ]);
  }

  optimisticPut(key: string, value: string, expectedRevision: number): Promise<OptimisticResult> {
    return this.#write('put', key, value, expectedRevision);
  }

  optimisticDelete(key: string, expectedRevision: number, last?: string): Promise<OptimisticResult> {
    return this.#write('delete', key, last, expectedRevision);
  }

  /**
   * The reason why nothing can be written. It is undefined while writes succeed, and while the only problem is a full disk, because
   * upstream then reports itself as healthy, too.
   */
  get problem(): string | undefined {
    if (this.#timeoutError !== undefined) return this.#timeoutError.message;
    return this.#failure?.error.code === 'unavailable' ? this.#failure.error.message : undefined;
  }

  async progress(): Promise<number> {
    return this.#revision;
  }

  compact(revision: number): void {
    this.#compactable = revision;
    if (this.#isClosed || this.#failure !== undefined) return;
    if (revision - this.#versions.base.revision >= EVENTS_PER_COMPACTION) this.#flushing ??= this.#flush();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#flushing;
    await this.#database.close();
  }

  /** Queues a write for the next commit. */
  #write(
    type: 'put' | 'delete',
    key: string,
    value: string | undefined,
    expectedRevision: number,
  ): Promise<OptimisticResult> {
    if (HALF_PAIR.test(key)) return Promise.reject(new TypeError('a key must not contain half of a surrogate pair'));
    if (this.#timeoutError !== undefined) return Promise.reject(this.#timeoutError);
    if (this.#isClosed) return Promise.reject(new StoreError('closed', 'the store was closed'));
    const before = this.#versions.newest(key);
    if ((before?.revision ?? 0) !== expectedRevision || (type === 'delete' && expectedRevision === 0))
      return Promise.resolve(NOT_COMMITTED);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ type, key, value, before, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** Commits all waiting writes, group by group. */
  async #flush(): Promise<void> {
    do {
      await this.#gather();
      const group = this.#nextGroup();
      const cancelLimit = this.#clock.setTimer(() => this.#answerLate(group), LONGEST_COMMIT);
      try {
        await this.#commit(group);
      } catch (error) {
        this.#fail(error, group);
      }
      cancelLimit();
      this.#timeoutError = undefined;
    } while (this.#waiting.length > 0);
    this.#flushing = undefined;
  }

  /**
   * Waits until no more writes arrive, so that the next commit contains the writes of all clients. Clients that have just received the
   * result of a commit send their next writes during the following turns. If a commit did not wait for them, two halves of the clients would
   * take turns, and every flush would serve only one half.
   */
  async #gather(): Promise<void> {
    const began = reading(this.#clock);
    for (let quietTurns = 0; quietTurns < QUIET_TURNS; ) {
      const { length } = this.#waiting;
      await nextTurn();
      if (this.#waiting.length >= MAX_GROUP || !isYoung(this.#clock, began, LONGEST_GATHERING)) return;
      quietTurns = this.#waiting.length > length ? 0 : quietTurns + 1;
    }
  }

  #nextGroup(): readonly Waiting[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ value }, index) => {
      const isFull = index >= MAX_GROUP || (index > 0 && length > MAX_GROUP_LENGTH);
      length += value?.length ?? 0;
      return isFull;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    await this.#recover();
    const time = this.#clock.now();
    const records = group.map(({ type, key, value, before }, index): BackendRecord<string> => {
      const revision = this.#revision + 1 + index;
      const createRevision = before?.createRevision ?? revision;
      return { type, key, value, revision, createRevision, time };
    });
    const operations: LevelOperation[] = records.map(putOf);
    const compaction = this.#planCompaction();
    if (compaction !== undefined) operations.push(...removalsOf(compaction));
    if (operations.length > 0) await this.#batch(operations);

    if (compaction !== undefined) this.#versions.compacted(compaction);
    records.forEach((record, index) => {
      this.#versions.addEvent(record, group[index]?.before);
      this.#revision = record.revision;
      this.#observer?.committed(record);
      group[index]?.resolve({ committed: true, revision: record.revision });
    });
  }

  /**
   * Rejects the writes of a commit that takes too long, and those that wait for the next one. The commit itself cannot be cancelled. If it
   * succeeds, its writes are reported to the observer; if it fails, they are removed like those of any failed commit.
   */
  #answerLate(group: readonly Waiting[]): void {
    const error = new StoreError(
      'unavailable',
      `${this.#name} did not respond within ${LONGEST_COMMIT / 1000} seconds`,
    );
    this.#timeoutError = error;
    for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
  }

  #planCompaction(): Compaction | undefined {
    if (this.#compactable - this.#versions.base.revision < EVENTS_PER_COMPACTION) return undefined;
    const compaction = this.#versions.planCompaction(this.#compactable);
    return compaction.events === 0 ? undefined : compaction;
  }

  /** Rejects a group and all queued writes, because none of them can be committed before the database is open again. */
  #fail(cause: unknown, group: readonly Waiting[]): void {
    const error = cause instanceof StoreError ? cause : writeError(this.#name, cause);
    if (this.#failure?.error !== error) this.#failure = { error, time: reading(this.#clock) };
    for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
    if (this.problem !== undefined) this.#retryLater();
  }

  /**
   * Schedules an attempt to reopen the database. No write would trigger it, because a server that reports a problem receives no requests.
   */
  #retryLater(): void {
    if (this.#isClosed) return;
    const retry = () => {
      this.#cancelRetry = undefined;
      this.#flushing ??= this.#flush();
    };
    this.#cancelRetry ??= this.#clock.setTimer(retry, REOPEN_INTERVAL, false, 'next try to open the data folder');
  }

  /**
   * Reopens the database after a failed write. LevelDB may have written a part of it, and at the next recovery all records behind such a
   * part would be lost. After a failed flush, LevelDB also refuses all writes until it is opened again.
   * @throws StoreError the last failure, until the database may be reopened
   */
  async #recover(): Promise<void> {
    const failure = this.#failure;
    if (failure === undefined) return;
    const age = reading(this.#clock) - failure.time;
    if (age >= 0 && age < REOPEN_INTERVAL) throw failure.error;
    this.#failure = undefined;
    await this.#database.close();
    await this.#database.open();
    if (decodeNumber(await this.#database.get(OPENED_KEY, ENCODINGS)) !== this.#opened) {
      await this.#database.close();
      throw new Error('another process has opened it meanwhile: restart the server');
    }
    // Writes that were reported as failed may nevertheless be stored. No reader has seen them, so they are removed.
    const left: LevelOperation[] = [];
    for await (const chunk of chunksOf(this.#database, { gt: afterRevision(this.#revision), lt: AFTER_RECORDS }))
      for (const [key] of chunk) left.push({ type: 'del', key });
    if (left.length > 0) await this.#batch(left);
  }

  #batch(operations: readonly LevelOperation[]): Promise<void> {
    return writeBatch(this.#database, operations, this.#durability === 'machine');
  }
}

function putOf(record: BackendRecord<string>): LevelOperation {
  const key = recordKey(record.revision, record.key);
  return { type: 'put', key, value: encodeRecord(key, record) };
}

/** Returns the database operations of a compaction. */
export function removalsOf({ base, dropped }: Compaction): LevelOperation[] {
  const removals = dropped.map(({ revision, key }): LevelOperation => ({ type: 'del', key: recordKey(revision, key) }));
  return [...removals, { type: 'put', key: BASE_KEY, value: JSON.stringify(base) }];
}
