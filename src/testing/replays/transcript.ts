import { isApiError } from '../../meta/api-error.js';
import type { EventStream, WatchEvent } from '../../registry/reads/resource-watch.js';
import type { InterceptedRequest, Interference, RequestOutcome } from '../../requests/interception.js';
import { type Result, textOf } from '../../requests/result.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { messageOf } from '../../values/message-of.js';
import { targetOf } from '../faults/request-target.js';
import { WrappedWatch } from '../wrapped-watch.js';

/** One output of a server, or one output that the workload has recorded. */
export interface Entry {
  /** The sequence number, which counts the entries of all parts in the order in which they began. */
  readonly number: number;
  /** The description of the entry, such as `get /api/v1/nodes by admin`. */
  readonly name: string;
  /** The output, as JSON or as it was recorded; undefined for a request that had no response by the end of the run. */
  text: string | undefined;
}

/**
 * Entries of a transcript that are compared in their order: all requests, all outputs that the workload has recorded, the events of one
 * watch, or the stored objects of one server.
 */
export interface Part {
  /** The noun for one entry of the part in messages: `request`, `event`. */
  readonly noun: string;
  /** The watch from which the entries come, for messages; '' if the names of the entries suffice. */
  readonly source: string;
  readonly entries: readonly Entry[];
}

/** The output of all servers in one replay. */
export class Transcript {
  readonly #requests: Entry[] = [];
  readonly #notes: Entry[] = [];
  readonly #others: Part[] = [];
  #count = 0;

  /** The parts of this transcript: requests, recorded outputs, then one part for each watch and each closed server, in temporal order. */
  get parts(): readonly Part[] {
    return [
      { noun: 'request', source: '', entries: this.#requests },
      { noun: 'record', source: '', entries: this.#notes },
      ...this.#others,
    ];
  }

  /** Records the requests and watches of a server from now on, and its stored objects when it closes. */
  follow(server: CoreApiServer): void {
    const stop = server.intercept({ intercept: (request) => this.#intercept(request) });
    server.once('closing', () => {
      stop();
      this.#keepState(server);
    });
  }

  note(name: string, text: string): void {
    this.#add(this.#notes, name, text);
  }

  #intercept(request: InterceptedRequest): Interference {
    const { verb, path, user, userAgent } = targetOf(request);
    const name = `${verb} ${path} by ${userAgent === '' ? user : `${user} (${userAgent})`}`;
    const entry = this.#add(this.#requests, name, undefined);
    const observe = (outcome: RequestOutcome) => void (entry.text = textOfOutcome(outcome));
    if (verb !== 'watch') return { observe };
    return { observe, watch: (source) => this.#followWatch(source, name) };
  }

  #followWatch(source: EventStream, name: string): EventStream {
    const entries: Entry[] = [];
    this.#others.push({ noun: 'event', source: name, entries });
    return new RecordedWatch(source, (event) => this.#add(entries, event.type, JSON.stringify(event)));
  }

  /** Records the stored objects of a server. A storage outside memory has no snapshot, so only the requests of its server are compared. */
  #keepState(server: CoreApiServer): void {
    const entries: Entry[] = [];
    this.#others.push({ noun: 'stored object', source: '', entries });
    for (const object of objectsOf(server)) {
      const { namespace = '', name = '' } = object.metadata;
      this.#add(entries, `${object.kind} ${namespace}/${name}`, JSON.stringify(object));
    }
  }

  #add(entries: Entry[], name: string, text: string | undefined): Entry {
    const entry = { number: this.#count++, name, text };
    entries.push(entry);
    return entry;
  }
}

function objectsOf(server: CoreApiServer) {
  try {
    return server.snapshot().objects();
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

/** A watch that records each event when its consumer takes it. */
class RecordedWatch extends WrappedWatch {
  readonly #record: (event: WatchEvent) => void;

  constructor(source: EventStream, record: (event: WatchEvent) => void) {
    super(source);
    this.#record = record;
  }

  get ended(): boolean {
    return this.source.ended;
  }
  protected get waits(): boolean {
    return this.source.hasUntaken;
  }

  take(max?: number): readonly WatchEvent[] {
    const events = this.source.take(max);
    for (const event of events) this.#record(event);
    return events;
  }
}

function textOfOutcome(outcome: RequestOutcome): string {
  if ('result' in outcome) return JSON.stringify(resultDocument(outcome.result));
  const { error } = outcome;
  return JSON.stringify(isApiError(error) ? error.status : { error: messageOf(error) });
}

/** Returns the members of a result that a client can see, without internal ones. */
function resultDocument(result: Result): object {
  switch (result.type) {
    case 'object':
    case 'status':
      return { status: result.status, object: result.object };
    case 'list':
      return { metadata: result.metadata, items: result.items };
    case 'document':
      return result.document;
    case 'raw':
      return { status: result.status, headers: result.headers, body: textOf(result) };
    case 'relayed':
      return { status: result.status, headers: result.headers };
    case 'watch':
      return { watch: result.resource.gvr };
  }
}
