import type { CoreApiServer } from '../server/core-api-server.js';
import { quote } from '../values/quote.js';

/**
 * Checks an argument that must be a server. The test is for methods instead of the class, because a program may load the package both as
 * CommonJS and as an ES module, which have separate classes.
 * @param what the name of the function, for the message.
 * @throws TypeError for any other value.
 */
export function checkServer(what: string, server: unknown): asserts server is CoreApiServer {
  if (hasMethods(server, ['intercept', 'observe', 'schedule', 'snapshot', 'settle'])) return;
  const hint = hasMethods(Object(server).server, ['intercept']) ? ': give its member "server"' : '';
  throw new TypeError(`${what}: the argument must be a server, such as new ApiServer()${hint}`);
}

/**
 * Checks a seed.
 * @param what the name of the function, for the message.
 * @throws TypeError for a value that is not a whole number.
 */
export function checkSeed(what: string, seed: unknown): void {
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`${what}: the seed must be a whole number: ${printArgument(seed)}`);
}

/**
 * Checks an argument that must be a function.
 * @param what the name of the function that has the argument, for the message.
 * @throws TypeError for any other value.
 */
export function checkFunction(what: string, name: string, value: unknown): void {
  if (typeof value !== 'function')
    throw new TypeError(`${what}: ${name} must be a function, not ${printArgument(value)}`);
}

/** Returns a text that names a wrong value in a message. It never throws, whatever the value is. */
export function printArgument(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  const members = Object(value) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === 'function');
}
