import { didYouMean } from '../values/nearest-word.js';
import type { ControllerDefinition } from './controller.js';

/**
 * Returns the controllers that are to run (spec 16.1).
 * @param selection the words: `*` for all that run by default, `name`, or `-name`. The first word that names a controller
 *   decides.
 * @throws TypeError for a name that no controller has, and for two controllers of one name.
 */
export function selectControllers(
  definitions: readonly ControllerDefinition[],
  selection: readonly string[],
): ControllerDefinition[] {
  const known = new Set(definitions.flatMap(({ switchedBy = [] }) => switchedBy));
  for (const word of selection) {
    const name = word.replace(/^-/, '');
    if (name !== '*' && !known.has(name))
      throw new TypeError(`controllers: no controller is switched by "${word}"${didYouMean(name, known)}`);
  }
  const names = definitions.map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined) throw new TypeError(`two controllers have the name "${duplicate}"`);
  return definitions.filter(({ switchedBy, onRequest = false }) => {
    if (!switchedBy) return true;
    const chosen = selection.find((word) => switchedBy.includes(word.replace(/^-/, '')));
    return chosen === undefined ? selection.includes('*') && !onRequest : !chosen.startsWith('-');
  });
}
