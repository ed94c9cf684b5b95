import type { ControllerDefinition } from './controller.js';

/**
 * The controllers that are to run (spec 16.1).
 * @param selection `*` for all that run unasked, `name`, `-name`; of those that name a controller the first counts.
 * @param log receives names that no controller has.
 */
export function selectControllers(
  definitions: readonly ControllerDefinition[],
  selection: readonly string[],
  log: (message: string) => void,
): ControllerDefinition[] {
  const known = new Set(definitions.flatMap(({ switchedBy = [] }) => switchedBy));
  for (const word of selection)
    if (word !== '*' && !known.has(word.replace(/^-/, '')))
      log(`controllers: "${word}" is not in the list of known controllers`);
  return definitions.filter(({ switchedBy, onRequest = false }) => {
    if (!switchedBy) return true;
    const chosen = selection.find((word) => switchedBy.includes(word.replace(/^-/, '')));
    return chosen === undefined ? selection.includes('*') && !onRequest : !chosen.startsWith('-');
  });
}
