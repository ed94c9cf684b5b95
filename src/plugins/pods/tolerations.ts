import { equalJson } from '../../json/equal.js';
import type { Toleration } from '../../resources/core/core-v1.types.js';

/** Returns whether the toleration `whole` tolerates every taint that `part` tolerates. */
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

/** Returns whether a single toleration of the list tolerates every taint that `part` tolerates. */
export const isTolerated = (whole: readonly Toleration[], part: Toleration): boolean =>
  whole.some((each) => includes(each, part));

/** Merges two lists of tolerations. A toleration is left out if another one tolerates every taint that it tolerates. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  const all = [...first, ...second];
  for (const [i, item] of all.entries()) {
    const isRedundant =
      merged.some((other) => includes(other, item)) ||
      // Of two equal tolerations the first one is kept.
      all.slice(i + 1).some((other) => !equalJson(other, item) && includes(other, item));
    if (!isRedundant) merged.push(item);
  }
  return merged;
}
