import { MemoryLevel } from 'memory-level';
import type { LevelBatch, LevelDatabase } from '../../src/exports/storage.js';
import type { LevelOperation } from '../../src/store/level/database.js';

/** An in-memory database whose disk can be slow, full or unavailable. */
export class FaultyLevel implements LevelDatabase {
  readonly inner = new MemoryLevel<string, string>();
  /** The operations of each requested batch. */
  readonly batches: LevelOperation[][] = [];
  /** An error that every batch and every opening throws; undefined for none. */
  fault: Error | undefined;
  /** The number of operations of a failing batch that are written nevertheless. */
  written = 0;
  openings = 0;
  #held: Promise<void> | undefined;
  #release = () => {};

  /** Delays batches until {@link release}. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }
  release(): void {
    this.#held = undefined;
    this.#release();
  }

  async open(): Promise<void> {
    this.openings++;
    if (this.fault) throw this.fault;
    await this.inner.open();
  }
  close: LevelDatabase['close'] = () => this.inner.close();
  get: LevelDatabase['get'] = (key, options) => this.inner.get(key, options);
  iterator: LevelDatabase['iterator'] = (options) => this.inner.iterator(options);
  batch(): LevelBatch {
    const operations: LevelOperation[] = [];
    return {
      put: (key, value) => operations.push({ type: 'put', key, value }),
      del: (key) => operations.push({ type: 'del', key }),
      write: async () => {
        this.batches.push(operations);
        await this.#held;
        if (this.fault === undefined) return await this.inner.batch(operations);
        await this.inner.batch(operations.slice(0, this.written));
        throw this.fault;
      },
    };
  }
}
