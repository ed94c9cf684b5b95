import { COLLECTION } from './writers.mjs';

const keyOf = ({ metadata }) => `${metadata.namespace}/${metadata.name}`;
const versionOf = ({ metadata }) => Number(metadata.resourceVersion);

/** The selectors of watches, as parameters and as a test of an object. */
export const SELECTIONS = [
  { path: '', query: '', fits: () => true },
  { path: '/namespaces/soak-0', query: '', fits: ({ metadata }) => metadata.namespace === 'soak-0' },
  { path: '', query: '&labelSelector=colour%3Dred', fits: ({ metadata }) => metadata.labels?.colour === 'red' },
  {
    path: '/namespaces/soak-1',
    query: '&labelSelector=colour!%3Dred',
    fits: ({ metadata }) => metadata.namespace === 'soak-1' && metadata.labels?.colour !== 'red',
  },
];

const TYPES = ['ADDED', 'MODIFIED', 'DELETED'];
const KEYS = 2 ** 20;
const keyNumbers = new Map();
const keys = [];

/** An event as one number, ordered by version, because millions of them are stored. */
function eventNumber(type, key, version) {
  let number = keyNumbers.get(key);
  if (number === undefined) {
    number = keys.push(key) - 1;
    keyNumbers.set(key, number);
  }
  return (version * KEYS + number) * TYPES.length + TYPES.indexOf(type);
}

const versionOfNumber = (event) => Math.floor(event / TYPES.length / KEYS);

function eventText(event) {
  if (event === undefined) return 'nothing';
  const key = keys[Math.floor(event / TYPES.length) % KEYS];
  return `${TYPES[event % TYPES.length]} ${key} ${versionOfNumber(event)}`;
}

/** The watch with which all others are compared: it selects everything, reads all events and never disconnects. */
export class Reference {
  changes = 0;
  problems = [];
  #version = 0;
  #objects = new Map();
  /** By selector: the events that a watch with it must receive, in order. */
  #events = new Map(SELECTIONS.map((selection) => [selection, []]));

  start(api, version) {
    const query = `?watch=1&resourceVersion=${version}&timeoutSeconds=7200`;
    this.watch = api.watch(
      `/api/v1/${COLLECTION}${query}`,
      ({ type, object }) => this.#note(type, object),
      (why) => this.problems.push(`the reference watch ${why}`),
    );
  }

  /** Objects that existed before. */
  begin(items) {
    for (const item of items) this.#objects.set(keyOf(item), item);
  }

  #note(type, object) {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    const version = versionOf(object);
    if (version <= this.#version) this.problems.push(`reference: ${version} out of order`);
    if ((type === 'ADDED') !== (before === undefined)) this.problems.push(`reference: ${type} of ${key}, wrongly`);
    this.#version = version;
    this.changes++;
    for (const [{ fits }, events] of this.#events) {
      const was = before !== undefined && fits(before);
      const is = type !== 'DELETED' && fits(object);
      if (was || is) events.push(eventNumber(was ? (is ? 'MODIFIED' : 'DELETED') : 'ADDED', key, version));
    }
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, object);
  }

  /** Returns the events that a watch with a selector must receive for the changes after `from`, up to `to`. */
  expected(selection, from, to) {
    return this.#events.get(selection).filter((event) => {
      const version = versionOfNumber(event);
      return version > from && version <= to;
    });
  }
}

/** A client that lists, watches, disconnects, comes back and reads slowly. It records every event that it receives. */
export class Watcher {
  seen = [];
  problems = [];
  reconnects = 0;
  #api;
  #selection;
  #random;
  #watch;
  #version;
  #stopped = false;
  #timer;
  #habit;

  /** @param habit `slow` reads a little at a time, `drops` disconnects all the time; undefined does either sometimes. */
  constructor(api, selection, random, habit) {
    this.#habit = habit;
    this.#api = api;
    this.#selection = selection;
    this.#random = random;
  }

  async start() {
    const { path, query } = this.#selection;
    const { value } = await this.#api.call('GET', `/api/v1${path}/${COLLECTION}?${query.slice(1)}`);
    this.cache = new Map(value.items.map((item) => [keyOf(item), versionOf(item)]));
    this.from = Number(value.metadata.resourceVersion);
    this.#version = this.from;
    this.#open();
    this.#plan();
  }

  #open() {
    const { path, query } = this.#selection;
    const seconds = 5 + this.#random.below(60);
    const parameters = `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#version}&timeoutSeconds=${seconds}${query}`;
    this.#watch = this.#api.watch(
      `/api/v1${path}/${COLLECTION}?${parameters}`,
      (event) => this.#note(event),
      (why) => {
        if (why.startsWith('ended within')) this.problems.push(why);
        if (this.#stopped) return;
        this.reconnects++;
        this.#open();
      },
    );
  }

  #note({ type, object }) {
    if (type === 'ERROR') {
      this.problems.push(`ERROR ${object.message}`);
      return;
    }
    const version = versionOf(object);
    if (version < this.#version) this.problems.push(`${type} ${version} after ${this.#version}`);
    this.#version = version;
    if (type === 'BOOKMARK') return;
    this.seen.push(eventNumber(type, keyOf(object), version));
    if (type === 'DELETED') this.cache.delete(keyOf(object));
    else this.cache.set(keyOf(object), version);
  }

  /** Sometimes it pauses, or drops its connection and continues from its version. */
  #plan() {
    const { below, often } = this.#random;
    const habit = this.#habit;
    const wait = habit === 'slow' ? 100 : habit === 'drops' ? 500 + below(2000) : 2000 + below(20_000);
    this.#timer = setTimeout(() => {
      if (habit === 'slow' || (habit === undefined && often(0.5))) {
        const watch = this.#watch;
        watch.pause();
        setTimeout(() => watch.resume(), habit === 'slow' ? 900 : below(3000));
      } else {
        this.#watch.drop();
        this.reconnects++;
        this.#open();
      }
      this.#plan();
    }, wait);
  }

  /**
   * Stops the disturbances, and waits until the client has received everything.
   * @param last the objects that were written last, in order; every selector selects one
   */
  async settle(last) {
    const version = versionOf(last.findLast(this.#selection.fits));
    clearTimeout(this.#timer);
    this.#watch.resume();
    // A change that every selector selects ends the wait, because bookmarks may take a minute.
    for (let i = 0; i < 200 && this.#version < version; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (i === 50) {
        this.#watch.drop();
        this.#open();
      }
    }
    this.#stopped = true;
    this.#watch.drop();
  }

  /** Compares its state with a new list. */
  async compare() {
    const { path, query } = this.#selection;
    const { value } = await this.#api.call('GET', `/api/v1${path}/${COLLECTION}?${query.slice(1)}`);
    const fresh = new Map(value.items.map((item) => [keyOf(item), versionOf(item)]));
    const differs = [...fresh].filter(([key, version]) => this.cache.get(key) !== version).map(([key]) => key);
    const gone = [...this.cache.keys()].filter((key) => !fresh.has(key));
    return [...differs, ...gone].slice(0, 3).map((key) => `a watcher's cache differs from a fresh list at ${key}`);
  }

  /** Compares its events with those of the reference watch. */
  judge(reference) {
    const expected = reference.expected(this.#selection, this.from, this.#version);
    const wrong = expected.findIndex((event, i) => event !== this.seen[i]);
    if (wrong >= 0 || expected.length !== this.seen.length)
      this.problems.push(
        `at ${wrong} of ${expected.length}: expected ${eventText(expected[wrong])}, saw ${eventText(this.seen[wrong])} (of ${this.seen.length})`,
      );
    return this.seen.length;
  }
}
