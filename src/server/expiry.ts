import { type Clock, reading } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { ResourceStore } from '../registry/resource-store.js';
import type { Entry, Storage, StoreEvent, Watch } from '../store/storage.js';
import { messageOf } from '../values/message-of.js';

/** The default lifetime of objects that expire (Events), in milliseconds. */
export const EVENT_LIFETIME = 3_600_000;

/**
 * Deletes objects of kinds that expire (`ResourceDefinition.expires`) when `lifetime` has passed since their last write. Like the etcd
 * leases of upstream, the deletion bypasses admission but sends events to watches. For objects that exist at the start, the lifetime begins
 * at the start, unless the storage knows when an earlier process wrote them.
 * @param lifetime milliseconds; 0 keeps the objects.
 * @param continues whether the server continues from the state of another server. The lifetime of its objects then continues as well.
 * @returns a function that stops the expiry.
 */
export function expireObjects(
  registry: ResourceRegistry,
  storage: Storage<ApiObject>,
  host: Pick<Host, 'clock' | 'log'>,
  lifetime: number,
  continues: boolean,
): () => void {
  if (lifetime === 0) return () => {};
  const writtenAt: Terms['writtenAt'] = continues ? timeOfKnownWrite : (entry) => entry.writtenAt;
  const terms: Terms = { writtenAt, clock: host.clock, lifetime, log: (message) => host.log(message) };
  const all = new Map<string, Expiry>();
  const follow = (stores: Iterable<Pick<ResourceStore, 'resource'>>) => {
    for (const { resource } of stores) {
      const { definition, keyPrefix } = resource;
      if (definition.expires && !all.has(keyPrefix)) all.set(keyPrefix, new Expiry(storage, keyPrefix, terms));
    }
  };
  follow(registry.current.contents.stores.values());
  const stop = registry.onChange(({ installed }) => follow(installed));
  return () => {
    stop();
    for (const each of all.values()) each.close();
  };
}

/**
 * The exact times at which this process wrote objects that expire, in milliseconds since the epoch. A server and its forks share the stored
 * objects, so a fork finds the times here and removes each object at the same moment as the original server.
 */
const knownWrites = new WeakMap<ApiObject, number>();

const timeOfKnownWrite = (entry: Entry<ApiObject>) => knownWrites.get(entry.value) ?? timeOfLastWrite(entry);

function rememberWrite(event: StoreEvent<ApiObject>, clock: Clock): void {
  try {
    knownWrites.set(event.value, clock.now());
  } catch {
    // The value cannot be decrypted or decoded, so the object has no identity that a fork could share.
  }
}

/** Returns the time of an object's last write, to the second, from its creationTimestamp and managedFields. */
function timeOfLastWrite({ value: { metadata } }: Entry<ApiObject>): number | undefined {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)]
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

interface Terms {
  /**
   * Returns when an object that exists at the start was written, in milliseconds since the epoch; undefined if its lifetime begins at the
   * start.
   */
  readonly writtenAt: (entry: Entry<ApiObject>) => number | undefined;
  readonly clock: Clock;
  readonly lifetime: number;
  log(message: string): void;
}

/** Removes the objects below one key prefix when they expire. */
class Expiry {
  readonly #storage: Storage<ApiObject>;
  readonly #terms: Terms;
  /**
   * The times at which objects expire, by key. The order is ascending, because all objects have the same lifetime and the one written last
   * is added at the end.
   */
  readonly #due = new Map<string, number>();
  readonly #watch: Watch<ApiObject>;
  readonly #prefix: string;
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(storage: Storage<ApiObject>, prefix: string, terms: Terms) {
    this.#storage = storage;
    this.#terms = terms;
    this.#prefix = prefix;
    this.#watch = storage.watch(prefix, storage.revision, { crossesGaps: true });
    this.#watch.onReadable = () => this.#catchUp();
    const { entries } = storage.list(prefix);
    if (entries.length > 0) this.#noteExisting(entries);
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    // Nothing waits for the end of the watch.
    this.#watch.onReadable = undefined;
    this.#watch.close();
  }

  #catchUp(): void {
    for (let events = this.#watch.take(); events.length > 0; events = this.#watch.take())
      for (const event of events) {
        if (event.type === 'put') {
          this.#note(event.key);
          rememberWrite(event, this.#terms.clock);
        } else this.#due.delete(event.key);
      }
    this.#wait();
  }

  #note(key: string): void {
    this.#due.delete(key);
    this.#due.set(key, reading(this.#terms.clock) + this.#terms.lifetime);
  }

  /** Records the objects that exist at the start. The lifetime of an object that an earlier process wrote began with that write. */
  #noteExisting(entries: readonly Entry<ApiObject>[]): void {
    const { clock, lifetime } = this.#terms;
    const [now, time] = [clock.now(), reading(clock)];
    const { writtenAt } = this.#terms;
    const left = entries.map((entry) => [entry.key, lifetime - Math.max(0, now - (writtenAt(entry) ?? now))] as const);
    for (const [key, rest] of left.sort(([, one], [, other]) => one - other)) this.#due.set(key, time + rest);
    this.#wait();
  }

  /** Sets the timer for the first object to expire, unless it is set already. */
  #wait(): void {
    const [first] = this.#due.values();
    if (first === undefined || this.#cancel || this.#closed) return;
    const { clock } = this.#terms;
    this.#cancel = clock.setTimer(
      () => void this.#removeDue(),
      Math.max(0, first - reading(clock)),
      false,
      `expiry of objects below ${this.#prefix}`,
    );
  }

  async #removeDue(): Promise<void> {
    const now = reading(this.#terms.clock);
    for (const [key, time] of this.#due) {
      if (time > now || this.#closed) break;
      this.#due.delete(key);
      await this.#remove(key);
    }
    this.#cancel = undefined;
    this.#wait();
  }

  async #remove(key: string): Promise<void> {
    try {
      // If the object has been written in the meantime, `#due` contains its key again, and the object is kept.
      await this.#storage.guaranteedUpdate(key, (current) => ({
        action: current && !this.#due.has(key) ? 'delete' : 'keep',
      }));
    } catch (error) {
      if (this.#closed) return;
      this.#note(key);
      this.#terms.log(`${key} has expired, but could not be removed: ${messageOf(error)}`);
    }
  }
}
