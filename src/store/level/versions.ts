import type { BackendRecord } from '../backend.js';
import { Ring } from '../ring.js';
import { type Base, SUM } from './record.js';

/** A write. The record of the version that it replaced is deleted once the write leaves the history. */
export interface Version {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  /** Revision of the version that the write replaced or removed; 0 if the key was absent, or if that version is no longer stored. */
  readonly before: number;
  readonly isDelete: boolean;
}

/** A planned compaction: the {@link Base} to store, and the writes whose records are to be deleted. */
export interface Compaction {
  readonly base: Base;
  readonly dropped: readonly { readonly revision: number; readonly key: string }[];
  /** The number of events that are dropped. */
  readonly events: number;
}

/** Tracks the newest revision of every key, and the replaced versions that only the history still needs. It holds no values. */
export class Versions {
  readonly #newest = new Map<string, Version>();
  readonly #replacements = new Ring<Version>();
  #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  get base(): Base {
    return this.#base;
  }
  /** The number of events that are held. */
  get events(): number {
    return this.#replacements.end - this.#replacements.start;
  }
  get count(): number {
    return this.#newest.size;
  }
  newest(key: string): Version | undefined {
    return this.#newest.get(key);
  }

  /** Adds a key that exists at the revision of {@link base}. */
  addEntry({ key, revision, createRevision }: BackendRecord<string>): void {
    this.#newest.set(key, { key, revision, createRevision, before: 0, isDelete: false });
  }

  /**
   * Adds a write after the revision of {@link base}.
   * @param before the newest version of the key before this write
   */
  addEvent(
    { type, key, revision, createRevision }: Omit<BackendRecord<string>, 'value' | 'time'>,
    before: Version | undefined,
  ): void {
    const version: Version = {
      key,
      revision,
      createRevision,
      before: before?.revision ?? 0,
      isDelete: type === 'delete',
    };
    this.#replacements.push(version);
    if (version.isDelete) this.#newest.delete(key);
    else this.#newest.set(key, version);
  }

  /** Returns the {@link Compaction} that drops the events up to a revision. Nothing is changed yet. */
  planCompaction(upTo: number): Compaction {
    let { revision, count, sum } = this.#base;
    const dropped: { revision: number; key: string }[] = [];
    let number = this.#replacements.start;
    for (let event = this.#replacements.at(number); event !== undefined; event = this.#replacements.at(++number)) {
      if (event.revision > upTo) break;
      const { key, before, isDelete } = event;
      revision = event.revision;
      if (before !== 0) {
        dropped.push({ revision: before, key });
        count--;
        sum = (sum - (before % SUM) + SUM) % SUM;
      }
      if (isDelete) dropped.push({ revision, key });
      else {
        count++;
        sum = (sum + revision) % SUM;
      }
    }
    return { base: { revision, count, sum }, dropped, events: number - this.#replacements.start };
  }

  /** Applies a {@link Compaction} after the database has committed it. */
  compacted({ base, events }: Compaction): void {
    this.#base = base;
    for (let i = 0; i < events; i++) this.#replacements.shift();
  }
}
