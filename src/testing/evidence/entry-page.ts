import type { Decision } from '../../authorization/authorizer.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { Entry, type Log } from './entry.js';

/** The number of entries in a page. */
export const PAGE_SIZE = 256;

/** The members of an entry by which its size was estimated. */
export type Removed = Pick<Entry, 'weight' | 'answer' | 'answeredAt' | 'written'>;

/** The members that most entries share with the entry before them. */
class Circumstances {
  readonly user: UserInfo;
  readonly query: string;
  readonly agent: string | RequestHeaders;
  readonly decision: Decision | undefined;

  constructor({ user, query, agent, decision }: Entry) {
    this.user = user;
    this.query = query;
    this.agent = agent;
    this.decision = decision;
  }

  equal({ user, query, agent, decision }: Entry): boolean {
    return user === this.user && decision === this.decision && agent === this.agent && query === this.query;
  }
}

/** The positions of an entry's numbers. */
const SINCE = 0;
const TOOK = 1;
const ARRIVED_AT = 2;
const ANSWERED_AT = 3;
const STATUS = 4;
const WEIGHT = 5;
const NUMBERS = 6;

/**
 * The entries of consecutive requests. A plain entry, such as that of the read of one object, is packed: only its circumstances, its path, its
 * response and its numbers are kept, in a few arrays. Otherwise the garbage collector would copy every entry twice before it counts as old,
 * which takes longer than all other steps of recording the request.
 */
export class EntryPage {
  /** The circumstances of packed entries, and the other entries: those in progress, those with details, and those that were read. */
  readonly #entries = new Array<Circumstances | Entry | undefined>(PAGE_SIZE);
  readonly #paths = new Array<string | undefined>(PAGE_SIZE);
  readonly #answers = new Array<ApiObject | undefined>(PAGE_SIZE);
  readonly #numbers = new Float64Array(PAGE_SIZE * NUMBERS);
  #circumstances: Circumstances | undefined;

  set(index: number, entry: Entry): void {
    this.#entries[index] = entry;
  }

  /**
   * Replaces an entry by its members.
   * @param path the path of the entry, or an equal string that is kept in any case.
   */
  pack(index: number, entry: Entry, path: string): void {
    entry.isPacked = true;
    this.#entries[index] = this.#circumstancesOf(entry);
    this.#paths[index] = path;
    this.#answers[index] = entry.answer;
    const numbers = this.#numbers;
    const first = index * NUMBERS;
    numbers[first + SINCE] = entry.since;
    numbers[first + TOOK] = entry.took;
    numbers[first + ARRIVED_AT] = entry.arrivedAt;
    numbers[first + ANSWERED_AT] = entry.answeredAt;
    numbers[first + STATUS] = entry.status;
    numbers[first + WEIGHT] = entry.weight;
  }

  #circumstancesOf(entry: Entry): Circumstances {
    if (!this.#circumstances?.equal(entry)) this.#circumstances = new Circumstances(entry);
    return this.#circumstances;
  }

  /** Returns an entry. A packed one is created again, and from then on kept as it is. */
  get(index: number, log: Log, number: number): Entry | undefined {
    const kept = this.#entries[index];
    if (!(kept instanceof Circumstances)) return kept;
    const { user, query, agent, decision } = kept;
    const entry = Entry.unpacked(log, number, {
      user,
      query,
      agent,
      decision,
      path: this.#paths[index] ?? '',
      answer: this.#answers[index],
      since: this.#number(index, SINCE),
      took: this.#number(index, TOOK),
      arrivedAt: this.#number(index, ARRIVED_AT),
      answeredAt: this.#number(index, ANSWERED_AT),
      status: this.#number(index, STATUS),
      weight: this.#number(index, WEIGHT),
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
    const answer = this.#answers[index];
    this.#entries[index] = undefined;
    this.#paths[index] = undefined;
    this.#answers[index] = undefined;
    if (!(kept instanceof Circumstances)) return kept;
    const weight = this.#number(index, WEIGHT);
    return { weight, answer, answeredAt: this.#number(index, ANSWERED_AT), written: undefined };
  }
}
