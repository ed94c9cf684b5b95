import { type Clock, TimesOfDay } from '../../meta/clock.js';
import type { ObservedRequest, RequestObserver, ServerObserver } from '../../requests/request-observer.js';
import { estimateSize } from '../../store/estimate-size.js';
import { Entry, readStored } from './entry.js';
import { Circumstances, EntryPage, PAGE_SIZE, type Removed } from './entry-page.js';

/** The number of references that the log's requests hold to an object, and the object's estimated size. */
interface Held {
  uses: number;
  readonly weight: number;
  /** The circumstances of the last request that the object answered. The next one often has equal circumstances, and then shares them. */
  circumstances: Circumstances | undefined;
}

/** The limits of a {@link Ledger}, and whether it records the server's own requests. */
export interface Bounds {
  readonly limit: number;
  readonly maxBytes: number;
  readonly own: boolean;
}

/**
 * The entries of a log, within the limits of the log. Its methods run for every request, so they make few calls and allocate only the
 * entries.
 */
export class Ledger implements ServerObserver {
  /** The time at which the log began, in milliseconds since the epoch. */
  readonly start: number;
  /** The number of the newest request (`newest`), and the value of `newest` when the log was last cleared (`forgotten`). */
  newest = 0;
  forgotten = 0;
  /** The last position in the sequence of requests, responses and deliveries. */
  position = 0;
  /** The estimated bytes of the entries and of the objects that they refer to. */
  bytes = 0;
  readonly #bounds: Bounds;
  readonly #times: TimesOfDay;
  /** The pages of the entries that are kept, in order. Each begins at a number that is one more than a multiple of {@link PAGE_SIZE}. */
  #pages: EntryPage[] = [];
  /** An emptied page, which is used again for the next page. */
  #spare: EntryPage | undefined;
  /** The number of the oldest entry that is kept. */
  #oldest = 1;
  /**
   * The newest entry, until its request is answered or the next request arrives. Most requests are answered by then, and their entries never
   * get into a page, because the garbage collector has to visit each place in old memory that has contained a new object.
   */
  #open: Entry | undefined;
  #held = new Map<object, Held>();
  #last: object | undefined;
  #lastHeld: Held | undefined;

  constructor(clock: Clock, bounds: Bounds) {
    this.start = clock.now();
    this.#times = new TimesOfDay(clock);
    this.#bounds = bounds;
  }

  get size(): number {
    return this.newest - this.#oldest + 1;
  }

  observe(request: ObservedRequest): RequestObserver | undefined {
    if (request.caller?.isOwn && !this.#bounds.own) return undefined;
    const number = ++this.newest;
    const since = Math.round(this.#times.at(request.deadline.began) - this.start);
    const entry = Entry.of(this, number, ++this.position, since, request);
    this.bytes += entry.weight;
    if (this.#open !== undefined) this.#keep(this.#open);
    this.#open = entry;
    if (this.size > this.#bounds.limit || this.bytes > this.#bounds.maxBytes) this.#trim();
    return entry;
  }

  /** Returns the entry with the given number; undefined if the entry is not kept. */
  get(number: number): Entry | undefined {
    if (!Number.isInteger(number) || number < this.#oldest || number > this.newest) return undefined;
    if (number === this.#open?.number) return this.#open;
    return this.#pageOf(number).get(indexOf(number), this, number);
  }

  /** Returns the entries that are kept, the oldest first. */
  all(): readonly Entry[] {
    return Array.from({ length: this.size }, (_, i) => this.get(this.#oldest + i)).filter(
      (entry) => entry !== undefined,
    );
  }

  clear(): void {
    this.forgotten = this.newest;
    // A page that has begun is continued, because its position follows from the numbers of its entries.
    this.#pages = this.newest % PAGE_SIZE === 0 ? [] : [new EntryPage()];
    this.#open = undefined;
    this.#oldest = this.newest + 1;
    this.bytes = 0;
    this.#held = new Map();
    this.#last = undefined;
    this.#lastHeld = undefined;
  }

  /** Adds the objects of an answered entry to the estimate. */
  answered(entry: Entry): void {
    if (!this.#keeps(entry)) return;
    const { answer, written } = entry;
    if (written !== undefined) {
      const { object, document, changes = [] } = written;
      for (const { before, after } of changes) {
        this.#use(readStored(before));
        this.#use(readStored(after), readStored(before));
      }
      this.#use(object);
      this.#use(document);
    }
    const held = this.#use(answer);
    if (written === undefined && !entry.isShown)
      this.#pageOf(entry.number).pack(indexOf(entry.number), entry, circumstancesOf(entry, held));
    else if (entry === this.#open) this.#keep(entry);
    if (entry === this.#open) this.#open = undefined;
    if (this.bytes > this.#bounds.maxBytes) this.#trim();
  }

  /** Adds to the estimate the bytes by which an entry has grown, without its objects. */
  grown(entry: Entry, bytes: number): void {
    if (!this.#keeps(entry)) return;
    this.bytes += bytes;
    if (this.bytes > this.#bounds.maxBytes) this.#trim();
  }

  detailed(entry: Entry): void {
    if (this.#keeps(entry)) this.#keep(entry);
  }

  #keeps({ number }: Entry): boolean {
    return number >= this.#oldest;
  }

  #keep(entry: Entry): void {
    this.#pageOf(entry.number).set(indexOf(entry.number), entry);
  }

  /** Returns the page for an entry that is not older than the oldest. Entries get their places in order, so at most one page is missing. */
  #pageOf(number: number): EntryPage {
    const index = pageNumber(number) - pageNumber(this.#oldest);
    const page = this.#pages[index];
    if (page) return page;
    return (this.#pages[index] = this.#takeSpare());
  }

  #takeSpare(): EntryPage {
    const page = this.#spare ?? new EntryPage();
    this.#spare = undefined;
    return page;
  }

  /** Counts a reference to an object; returns the counter. */
  #use(object: object | undefined, before?: object): Held | undefined {
    if (object === undefined) return undefined;
    // Consecutive requests often use the same object, such as the returned one. This comparison then saves the search in the map.
    if (object === this.#last && this.#lastHeld !== undefined) {
      this.#lastHeld.uses++;
      return this.#lastHeld;
    }
    let held = this.#held.get(object);
    if (held !== undefined) held.uses++;
    else {
      held = { uses: 1, weight: estimateSize(object, before), circumstances: undefined };
      this.#held.set(object, held);
      this.bytes += held.weight;
    }
    this.#last = object;
    this.#lastHeld = held;
    return held;
  }

  #trim(): void {
    const { limit, maxBytes } = this.#bounds;
    while (this.size > limit || (this.bytes > maxBytes && this.size > 1)) {
      const index = indexOf(this.#oldest);
      const [page] = this.#pages;
      this.#drop(page?.remove(index));
      if (index === PAGE_SIZE - 1) this.#spare = this.#pages.shift();
      this.#oldest++;
    }
  }

  /** Subtracts the size of a removed entry from the estimated size of the log. */
  #drop(removed: Removed | undefined): void {
    if (removed === undefined) return;
    const { weight, answeredAt, answer, written } = removed;
    this.bytes -= weight;
    // Only the objects of an answered request are counted.
    if (answeredAt === 0) return;
    if (written !== undefined) {
      const { object, document, changes = [] } = written;
      for (const { before, after } of changes) {
        this.#release(readStored(before));
        this.#release(readStored(after));
      }
      this.#release(object);
      this.#release(document);
    }
    this.#release(answer);
  }

  #release(object: object | undefined): void {
    if (object === undefined) return;
    const held = object === this.#last ? this.#lastHeld : this.#held.get(object);
    if (!held || --held.uses > 0) return;
    this.#held.delete(object);
    this.bytes -= held.weight;
    if (object !== this.#last) return;
    this.#last = undefined;
    this.#lastHeld = undefined;
  }
}

const indexOf = (number: number) => (number - 1) % PAGE_SIZE;
const pageNumber = (number: number) => Math.floor((number - 1) / PAGE_SIZE);

/** Returns the circumstances of a request: those of the last request that was answered with the same object, if they are equal. */
function circumstancesOf(entry: Entry, held: Held | undefined): Circumstances {
  if (held?.circumstances?.equal(entry)) return held.circumstances;
  const circumstances = new Circumstances(entry);
  if (held) held.circumstances = circumstances;
  return circumstances;
}
