import { didYouMean } from './nearest-word.js';

/**
 * Refuses what an options bag has no member for: a misspelt option would be one without effect.
 * @param what is configured, for the message: `ApiServer`, `memory()`.
 * @throws TypeError with the member that was meant, where one is like it; for what is not an object, too.
 */
export function refuseUnknownMembers(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${what}: the options must be an object`);
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`${what}: there is no option ${name}${didYouMean(name, known)}`);
}
