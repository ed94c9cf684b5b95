import type { Client } from '../client/client.js';
import { isExpired } from '../meta/api-error.js';
import { awaitedTimer, systemClock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

export interface WaitForOptions {
  /** The namespace, required for namespaced kinds. */
  readonly namespace?: string;
  /**
   * The timeout in milliseconds of the machine's clock, whatever clock the server has. Default 4,000, which is less than the test timeouts
   * of vitest and jest, so that the error can report the last version that was seen.
   */
  readonly timeout?: number;
}

/** The maximum number of characters of an object in the error message. */
const SHOWN = 2000;

/**
 * Waits until an object satisfies a test, with a list and a watch instead of polling.
 * @param test called with each version of the object, beginning with the current one.
 * @throws Error if no version satisfies the test in time, with the version that was seen last; ApiError if the watch is refused.
 */
export async function waitFor<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  test: (object: T) => unknown,
  options: WaitForOptions = {},
): Promise<T> {
  return (await follow(client, kind, name, options, (object) => object !== undefined && Boolean(test(object)))) as T;
}

/**
 * Waits until an object is gone.
 * @throws Error if it still exists after the timeout; ApiError if the watch is refused.
 */
export async function waitForDeletion<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  options: WaitForOptions = {},
): Promise<void> {
  await follow(client, kind, name, options, (object) => object === undefined);
}

async function follow<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  { namespace, timeout = 4000 }: WaitForOptions,
  isDone: (object: T | undefined) => boolean,
): Promise<T | undefined> {
  const stop = new AbortController();
  const { signal } = stop;
  const cancel = awaitedTimer(systemClock, () => stop.abort(), timeout);
  const wanted = {
    fieldSelector: `metadata.name=${name}`,
    signal,
    ...(namespace === undefined ? {} : { namespace }),
  };
  let last: T | undefined;
  try {
    while (!signal.aborted) {
      const { items, metadata } = await client.list(kind, wanted);
      last = items[0];
      if (isDone(last)) return last;
      const from = { ...wanted, resourceVersion: metadata.resourceVersion ?? '' };
      try {
        for await (const event of client.watch(kind, from)) {
          last = event.type === 'DELETED' ? undefined : event.object;
          if (isDone(last)) return last;
        }
      } catch (error) {
        if (!isExpired(error)) throw error; // After an expired watch, the loop starts again with a list.
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    cancel();
    stop.abort();
  }
  const seen = last === undefined ? 'is not there' : `is ${JSON.stringify(last).slice(0, SHOWN)}`;
  throw new Error(`waited ${timeout} ms for ${kind.plural} "${name}", which ${seen}`);
}
