import { didYouMean } from './nearest-word.js';

/**
 * Refuses unknown members of an options bag, because a misspelled option would silently have no effect.
 * @param what the name of the configured thing in the message: `ApiServer`, `memory()`
 * @throws TypeError for an unknown member, with a similar known one if there is any, and for a value that is not an object.
 */
export function refuseUnknownMembers(what: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${what}: the options must be an object`);
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw new TypeError(`${what}: there is no option ${name}${didYouMean(name, known)}`);
}
