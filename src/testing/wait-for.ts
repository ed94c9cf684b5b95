import type { Client } from '../client/client.js';
import { isExpired } from '../meta/api-error.js';
import { awaitedTimer, systemClock } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkFunction, printArgument } from './check-arguments.js';

/** The options of {@link waitFor} and {@link waitForDeletion}. */
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
 * @param test called with each version of the object, beginning with the current one. A promise that it returns is awaited.
 * @throws TypeError for an argument of the wrong type and a namespaced kind without a namespace.
 * @throws Error if no version satisfies the test in time, with the version that was seen last; ApiError if the watch is refused.
 */
export async function waitFor<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  test: (object: T) => unknown,
  options: WaitForOptions = {},
): Promise<T> {
  checkFunction('waitFor', 'test', test);
  const isDone = async (object: T | undefined) => object !== undefined && Boolean(await test(object));
  return (await follow('waitFor', client, kind, name, options, isDone)) as T;
}

/**
 * Waits until an object is gone.
 * @throws TypeError for an argument of the wrong type and a namespaced kind without a namespace.
 * @throws Error if it still exists after the timeout; ApiError if the watch is refused.
 */
export async function waitForDeletion<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  options: WaitForOptions = {},
): Promise<void> {
  await follow('waitForDeletion', client, kind, name, options, (object) => object === undefined);
}

/** @param what the name of the public function, for messages. */
async function follow<T extends ApiObject>(
  what: string,
  client: Client,
  kind: ResourceDefinition<T>,
  name: string,
  options: WaitForOptions,
  isDone: (object: T | undefined) => boolean | Promise<boolean>,
): Promise<T | undefined> {
  refuseUnknownMembers(what, options, ['namespace', 'timeout']);
  const { namespace, timeout = 4000 } = options;
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`${what}: name must be a string, not ${printArgument(name)}`);
  if (!(Number.isFinite(timeout) && timeout >= 0))
    throw new TypeError(`${what}: timeout must be a number of milliseconds, not ${printArgument(timeout)}`);
  // Without a namespace, a list would find an object of the same name in another namespace.
  if (kind?.scope === 'Namespaced' && !namespace)
    throw new TypeError(`${what}: ${kind.plural} are namespaced: give the option namespace`);
  const stop = new AbortController();
  const { signal } = stop;
  const cancel = awaitedTimer(systemClock, () => stop.abort(), timeout);
  // A test may return a promise that never settles, and must not outlast the timeout.
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', reject));
  aborted.catch(() => {});
  const isDoneInTime = (object: T | undefined) => Promise.race([isDone(object), aborted]);
  const wanted = {
    // Names of some kinds, such as roles, may contain characters that a selector has to escape.
    fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`,
    signal,
    ...(namespace === undefined ? {} : { namespace }),
  };
  let last: T | undefined;
  let isAnswered = false;
  try {
    while (!signal.aborted) {
      const { items, metadata } = await client.list(kind, wanted);
      last = items[0];
      isAnswered = true;
      if (await isDoneInTime(last)) return last;
      const from = { ...wanted, resourceVersion: metadata.resourceVersion ?? '' };
      try {
        for await (const event of client.watch(kind, from)) {
          last = event.type === 'DELETED' ? undefined : event.object;
          if (await isDoneInTime(last)) return last;
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
  const head = `waited ${timeout} ms for ${kind.plural} "${name}"`;
  if (!isAnswered) throw new Error(`${head}, and the list of ${kind.plural} got no response`);
  throw new Error(
    `${head}, which ${last === undefined ? 'does not exist' : `is ${JSON.stringify(last).slice(0, SHOWN)}`}`,
  );
}
