import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { WatchEvent } from '../../registry/reads/resource-watch.js';

/** Parameters that only the first request of a watch may have: later ones go on from a version. */
const FIRST_ONLY = ['resourceVersion', 'resourceVersionMatch', 'sendInitialEvents'];

/**
 * How far a watch came, so that it can go on over another connection and neither loses nor repeats a change. While the initial state
 * comes there is no version to go on from: it is asked for anew, and what changed between is made from the two.
 */
export class WatchPosition {
  readonly #first: URLSearchParams;
  readonly #endMark: string;
  /** Whether the initial state ends with a bookmark of its own. */
  readonly #marked: boolean;
  #version: string | undefined;
  /** The initial state as far as it came; undefined when it is complete. */
  #initial: Map<string, ApiObject> | undefined;
  /** Of an earlier initial state, what this one has not sent yet. */
  #missing = new Map<string, ApiObject>();
  #opened = false;

  /** @param endMark the annotation of the bookmark that ends an initial state. */
  constructor(parameters: URLSearchParams, endMark: string) {
    this.#first = parameters;
    this.#endMark = endMark;
    const version = parameters.get('resourceVersion') ?? '';
    const initialEvents = parameters.get('sendInitialEvents');
    const isExact = version !== '' && version !== '0';
    this.#marked = initialEvents === 'true';
    if (this.#marked || (initialEvents === null && !isExact)) this.#initial = new Map();
    else if (isExact) this.#version = version;
  }

  /** What to ask with. @throws ApiError Expired where nothing is known to go on from. */
  parameters(): URLSearchParams {
    const parameters = new URLSearchParams(this.#first);
    const isFirst = !this.#opened;
    this.#opened = true;
    if (isFirst) return parameters;
    if (this.#initial) {
      this.#missing = new Map([...this.#missing, ...this.#initial]);
      this.#initial = new Map();
    } else {
      if (this.#version === undefined) throw apiError.expired('the watch ended before it had a version to go on from');
      for (const name of FIRST_ONLY) parameters.delete(name);
      parameters.set('resourceVersion', this.#version);
    }
    return parameters;
  }

  /** What an event of the connection means to who follows the watch. */
  follow(event: Exclude<WatchEvent, { type: 'ERROR' }>): readonly WatchEvent[] {
    const { object } = event;
    const { uid = '', resourceVersion, annotations } = object.metadata;
    const isEnd = this.#marked ? annotations?.[this.#endMark] === 'true' : event.type !== 'ADDED';
    if (this.#initial && !(event.type === 'BOOKMARK' && isEnd)) {
      if (event.type === 'ADDED') return this.#arrive(uid, object);
      if (!isEnd) return [event];
    }
    const gone = this.#endInitial();
    this.#version = resourceVersion ?? this.#version;
    return [...gone, event];
  }

  #arrive(uid: string, object: ApiObject): readonly WatchEvent[] {
    this.#initial?.set(uid, object);
    const known = this.#missing.get(uid);
    if (!known) return [{ type: 'ADDED', object }];
    this.#missing.delete(uid);
    const isSame = known.metadata.resourceVersion === object.metadata.resourceVersion;
    return isSame ? [] : [{ type: 'MODIFIED', object }];
  }

  #endInitial(): WatchEvent[] {
    const gone = [...this.#missing.values()].map((object) => ({ type: 'DELETED', object }) as const);
    this.#initial = undefined;
    this.#missing.clear();
    return gone;
  }
}
