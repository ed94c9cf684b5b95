import type { Decision } from '../../authorization/authorizer.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { Entry, type Log } from './entry.js';

/** The number of entries in a page. */
export const PAGE_SIZE = 256;

/** The members of an entry by which its size was estimated. */
export type Removed = Pick<Entry, 'weight' | 'answer' | 'answeredAt' | 'written'>;

const NOBODY: UserInfo = Object.freeze({ username: '' });

const column = <T>() => new Array<T | undefined>(PAGE_SIZE);
const numbers = () => new Float64Array(PAGE_SIZE);

/**
 * The entries of consecutive requests. A plain entry, such as that of the read of one object, is kept as one element of each of a few
 * arrays. Otherwise the garbage collector would copy every entry twice before it counts as old, which takes longer than all other steps of
 * recording the request.
 */
export class EntryPage {
  /** The entries that are not packed: those in progress, those with details, and those that were read. */
  readonly #entries = column<Entry>();
  readonly #users = column<UserInfo>();
  readonly #paths = column<string>();
  readonly #queries = column<string>();
  readonly #agents = column<string | RequestHeaders>();
  readonly #decisions = column<Decision>();
  readonly #answers = column<ApiObject>();
  readonly #since = numbers();
  readonly #took = numbers();
  readonly #arrivedAt = numbers();
  readonly #answeredAt = numbers();
  readonly #status = numbers();
  readonly #weight = numbers();

  set(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  /**
   * Replaces an entry by its members.
   * @param path the path of the entry, or an equal string that is kept in any case.
   */
  pack(index: number, entry: Entry, path: string): void {
    entry.isPacked = true;
    this.#entries[index] = undefined;
    this.#users[index] = entry.user;
    this.#paths[index] = path;
    this.#queries[index] = entry.query;
    this.#agents[index] = entry.agent;
    this.#decisions[index] = entry.decision;
    this.#answers[index] = entry.answer;
    this.#since[index] = entry.since;
    this.#took[index] = entry.took;
    this.#arrivedAt[index] = entry.arrivedAt;
    this.#answeredAt[index] = entry.answeredAt;
    this.#status[index] = entry.status;
    this.#weight[index] = entry.weight;
  }

  /** Returns an entry. A packed one is created again, and from then on kept as it is. */
  get(index: number, log: Log, number: number): Entry {
    return (this.#entries[index] ??= Entry.unpacked(log, number, {
      user: this.#users[index] ?? NOBODY,
      path: this.#paths[index] ?? '',
      query: this.#queries[index] ?? '',
      agent: this.#agents[index] ?? '',
      decision: this.#decisions[index],
      answer: this.#answers[index],
      since: this.#since[index] ?? 0,
      took: this.#took[index] ?? 0,
      arrivedAt: this.#arrivedAt[index] ?? 0,
      answeredAt: this.#answeredAt[index] ?? 0,
      status: this.#status[index] ?? 0,
      weight: this.#weight[index] ?? 0,
    }));
  }

  /** Removes an entry and the references of its members. */
  remove(index: number): Removed {
    const removed = this.#entries[index] ?? {
      weight: this.#weight[index] ?? 0,
      answer: this.#answers[index],
      answeredAt: this.#answeredAt[index] ?? 0,
      written: undefined,
    };
    this.#entries[index] = undefined;
    this.#users[index] = undefined;
    this.#paths[index] = undefined;
    this.#queries[index] = undefined;
    this.#agents[index] = undefined;
    this.#decisions[index] = undefined;
    this.#answers[index] = undefined;
    return removed;
  }
}
