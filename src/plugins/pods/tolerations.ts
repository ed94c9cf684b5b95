import { equalJson } from '../../json/equal.js';
import type { Toleration } from '../../resources/core/core-v1.types.js';

/** Returns whether the first toleration covers everything that the second does. */
function includes(whole: Toleration, part: Toleration): boolean {
  if (equalJson(whole, part)) return true;
  const { key = '', operator = '', effect = '', tolerationSeconds } = whole;
  if ((part.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((part.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined)
    if (part.tolerationSeconds === undefined || part.tolerationSeconds > tolerationSeconds) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && part.operator === 'Equal' && part.value === whole.value;
}

/** Returns whether a toleration of the list covers everything that the second argument does. */
export const isTolerated = (whole: readonly Toleration[], part: Toleration): boolean =>
  whole.some((each) => includes(each, part));

/** Merges two lists, leaving out tolerations that others cover. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  const all = [...first, ...second];
  for (const [i, item] of all.entries()) {
    const isRedundant =
      merged.some((other) => includes(other, item)) ||
      // Of two equal tolerations the first stays.
      all.slice(i + 1).some((other) => !equalJson(other, item) && includes(other, item));
    if (!isRedundant) merged.push(item);
  }
  return merged;
}
