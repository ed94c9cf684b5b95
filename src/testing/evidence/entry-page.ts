import type { Decision } from '../../authorization/authorizer.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { Entry, type Log } from './entry.js';

/** The number of entries in a page. */
export const PAGE_SIZE = 256;

/** The members of an entry by which its size was estimated. */
export type Removed = Pick<Entry, 'weight' | 'answer' | 'answeredAt' | 'written'>;

/** The members of a packed entry other than its times and positions. Equal requests with the same response share them. */
export class Circumstances {
  readonly user: UserInfo;
  readonly path: string;
  readonly query: string;
  readonly agent: string | RequestHeaders;
  readonly decision: Decision | undefined;
  readonly answer: ApiObject | undefined;
  readonly status: number;
  readonly weight: number;

  constructor({ user, path, query, agent, decision, answer, status, weight }: Entry) {
    this.user = user;
    this.path = path;
    this.query = query;
    this.agent = agent;
    this.decision = decision;
    this.answer = answer;
    this.status = status;
    this.weight = weight;
  }

  equal({ user, path, query, agent, decision, answer, status, weight }: Entry): boolean {
    return (
      answer === this.answer &&
      status === this.status &&
      weight === this.weight &&
      user === this.user &&
      decision === this.decision &&
      agent === this.agent &&
      path === this.path &&
      query === this.query
    );
  }
}

/** The positions of an entry's times and positions within its numbers. */
const SINCE = 0;
const TOOK = 1;
const ARRIVED_AT = 2;
const ANSWERED_AT = 3;
const NUMBERS = 4;

/**
 * The entries of consecutive requests. A plain entry, such as that of the read of one object, is packed: only its circumstances and its
 * numbers are kept. Otherwise the garbage collector would copy every entry twice before it counts as old, which takes longer than all other
 * steps of recording the request.
 */
export class EntryPage {
  /** The circumstances of packed entries, and the other entries: those in progress, those with details, and those that were read. */
  readonly #entries = new Array<Circumstances | Entry | undefined>(PAGE_SIZE);
  readonly #numbers = new Float64Array(PAGE_SIZE * NUMBERS);

  set(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  /** Replaces an entry by its circumstances and its numbers. */
  pack(index: number, entry: Entry, circumstances: Circumstances): void {
    entry.isPacked = true;
    this.#entries[index] = circumstances;
    const numbers = this.#numbers;
    const first = index * NUMBERS;
    numbers[first + SINCE] = entry.since;
    numbers[first + TOOK] = entry.took;
    numbers[first + ARRIVED_AT] = entry.arrivedAt;
    numbers[first + ANSWERED_AT] = entry.answeredAt;
  }

  /** Returns an entry. A packed one is created again, and from then on kept as it is. */
  get(index: number, log: Log, number: number): Entry | undefined {
    const kept = this.#entries[index];
    if (!(kept instanceof Circumstances)) return kept;
    const entry = Entry.unpacked(log, number, {
      ...kept,
      since: this.#number(index, SINCE),
      took: this.#number(index, TOOK),
      arrivedAt: this.#number(index, ARRIVED_AT),
      answeredAt: this.#number(index, ANSWERED_AT),
    });
    this.#entries[index] = entry;
    return entry;
  }

  #number(index: number, position: number): number {
    return this.#numbers[index * NUMBERS + position] ?? 0;
  }

  /** Removes an entry and the references of its members. Returns undefined if there is none. */
  remove(index: number): Removed | undefined {
    const kept = this.#entries[index];
    this.#entries[index] = undefined;
    if (!(kept instanceof Circumstances)) return kept;
    const { weight, answer } = kept;
    return { weight, answer, answeredAt: this.#number(index, ANSWERED_AT), written: undefined };
  }
}
