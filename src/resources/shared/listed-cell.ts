const SHOWN = 3;

/** Returns the first three items of a list as a cell, and how many more there are; `none` for an empty list. */
export function listedCell(items: Iterable<string>, none: string): string {
  const shown: string[] = [];
  let count = 0;
  for (const item of items) if (count++ < SHOWN) shown.push(item);
  const text = shown.join(',');
  return count > SHOWN ? `${text} + ${count - SHOWN} more...` : text || none;
}
