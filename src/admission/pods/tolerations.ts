import { equalJson } from '../../json/equal.js';
import type { Toleration } from './pod.js';

/** Whether everything that the second tolerates the first does, too. */
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

/** Whether one of the first tolerates everything that the second does. */
export const isTolerated = (whole: readonly Toleration[], part: Toleration): boolean =>
  whole.some((each) => includes(each, part));

/** Both lists in one, without what others of them include. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  const all = [...first, ...second];
  for (const [i, item] of all.entries()) {
    const isRedundant =
      merged.some((other) => includes(other, item)) ||
      // Of two that are equal the first stays.
      all.slice(i + 1).some((other) => !equalJson(other, item) && includes(other, item));
    if (!isRedundant) merged.push(item);
  }
  return merged;
}
