import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { WatchEvent } from '../../registry/reads/resource-watch.js';

/** Parameters that only the first request of a watch has. Later requests continue from a resourceVersion. */
const FIRST_ONLY = ['resourceVersion', 'resourceVersionMatch', 'sendInitialEvents'];

/**
 * The position of a watch, which lets it continue on another connection without losing or repeating a change. Before the initial state is
 * complete there is no resourceVersion to continue from: the state is then requested again, and the changes are derived from both states.
 */
export class WatchPosition {
  readonly #first: URLSearchParams;
  readonly #endMark: string;
  /**
   * Whether a bookmark with the annotation {@link #endMark} ends the initial state. Otherwise the first event that is not ADDED ends it.
   */
  readonly #marked: boolean;
  #version: string | undefined;
  /** The objects of the initial state so far; undefined when it is complete. */
  #initial: Map<string, ApiObject> | undefined;
  /** Objects of an earlier, interrupted initial state that the current connection has not sent yet. */
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

  /**
   * Returns the parameters of the next request.
   * @throws ApiError Expired if there is no version to continue from.
   */
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

  /** Converts an event of the connection to the events of the watch. */
  follow(event: Exclude<WatchEvent, { type: 'ERROR' }>): readonly WatchEvent[] {
    const { object } = event;
    const { uid = '', resourceVersion, annotations } = object.metadata;
    const isEnd = this.#marked ? annotations?.[this.#endMark] === 'true' : event.type !== 'ADDED';
    if (this.#initial && !(event.type === 'BOOKMARK' && isEnd)) {
      if (event.type === 'ADDED') return this.#addInitial(uid, object);
      if (!isEnd) return [event];
    }
    const gone = this.#endInitial();
    this.#version = resourceVersion ?? this.#version;
    return [...gone, event];
  }

  #addInitial(uid: string, object: ApiObject): readonly WatchEvent[] {
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
