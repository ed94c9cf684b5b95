import { type Entry, readStored, type StoredChange } from './entry.js';
import { entryOf } from './entry-view.js';
import type { RecordedRequest } from './recorded-request.js';

/** The writes and the deliveries of one client, a user with a user agent. */
interface Writer {
  /** The versions that the client has written, as `uid resourceVersion`. */
  readonly written: Set<string>;
  /** The objects that the client's watches delivered, in order. */
  readonly deliveries: { readonly at: number; readonly version: string }[];
  /** The index in `deliveries` of the first delivery that was not processed yet. */
  next: number;
  /** The number of changes by other clients that were delivered to this client and that none of its writes has reacted to yet. */
  unanswered: number;
}

/**
 * Returns the writes that only the client's own previous write can have caused: no other client has changed the object since that write, a
 * watch of the client has delivered it before the next write, and the client has answered everything else that its watches delivered. Each
 * delivery of a change by another client counts as the cause of one write, because a client may process a queue of deliveries.
 * @param requests the requests of a log, the oldest first.
 */
export function writesAfterOwnEvents(requests: readonly RecordedRequest[]): ReadonlySet<RecordedRequest> {
  const writers = writersOf(requests);
  /** The clients that wrote the versions of objects. */
  const writerOf = new Map<string, Writer | undefined>();
  const echoes = new Set<RecordedRequest>();
  for (const request of requests) {
    const entry = entryOf(request);
    const writer = writers.get(clientOf(request));
    for (const { before, after } of entry.details.changes ?? []) {
      if (before === after) continue;
      const replaced = versionOf(before);
      if (writer && isEcho(writer, entry, replaced) && writerOf.get(replaced) === writer) echoes.add(request);
      writerOf.set(versionOf(after), writer);
    }
  }
  return echoes;
}

/** Returns whether a watch has delivered the replaced version to the writer since its last write, and nothing else is left to react to. */
function isEcho(writer: Writer, { arrivedAt }: Entry, replaced: string): boolean {
  let hasReturned = false;
  for (; writer.next < writer.deliveries.length; writer.next++) {
    const delivery = writer.deliveries[writer.next];
    if (!delivery || delivery.at > arrivedAt) break;
    if (delivery.version === replaced) hasReturned = true;
    else if (!writer.written.has(delivery.version)) writer.unanswered++;
  }
  if (writer.unanswered === 0) return hasReturned;
  writer.unanswered--;
  return false;
}

function writersOf(requests: readonly RecordedRequest[]): ReadonlyMap<string, Writer> {
  const writers = new Map<string, Writer>();
  for (const request of requests) {
    const key = clientOf(request);
    const writer = writers.get(key) ?? { written: new Set(), deliveries: [], next: 0, unanswered: 0 };
    writers.set(key, writer);
    const { changes = [], delivered } = entryOf(request).details;
    for (const { after } of changes) writer.written.add(versionOf(after));
    for (const { at, uid, resourceVersion } of delivered?.objects ?? [])
      writer.deliveries.push({ at, version: `${uid} ${resourceVersion}` });
  }
  for (const { deliveries } of writers.values()) deliveries.sort((one, other) => one.at - other.at);
  return writers;
}

/** Returns a string that identifies an object and its version; '' without an object. */
function versionOf(stored: StoredChange['after']): string {
  const { uid, resourceVersion } = readStored(stored)?.metadata ?? {};
  return uid === undefined ? '' : `${uid} ${resourceVersion}`;
}

const clientOf = ({ user, userAgent }: RecordedRequest) => `${user.username}\n${userAgent}`;
