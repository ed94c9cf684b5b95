import type { AddOperation, Operation, RemoveOperation, ReplaceOperation } from 'fast-json-patch';

/**
 * The JSON Patch that turns one value into another.
 * @param tested whether it first tests each value that it replaces or removes. Default false.
 */
export async function patchBetween(before: object, after: object, tested = false): Promise<readonly Operation[]> {
  // Its named exports are not seen by every loader.
  const { default: jsonPatch } = await import('fast-json-patch');
  return jsonPatch.compare(before, after, tested);
}

/**
 * What differs between two objects, a line for each place, for people to read: `data/colour: "red" -> "blue"`. An empty list
 * means that they are equal.
 */
export async function describeDifferences(before: object, after: object): Promise<readonly string[]> {
  const operations = (await patchBetween(before, after, true)) as readonly Operation[];
  const lines: string[] = [];
  // With tests asked for, the old value comes right before each replacement and removal.
  let old = '';
  for (const operation of operations) {
    if (operation.op === 'test') old = JSON.stringify(operation.value);
    else lines.push(describe(operation as AddOperation<unknown> | RemoveOperation | ReplaceOperation<unknown>, old));
  }
  return lines;
}

function describe(operation: AddOperation<unknown> | RemoveOperation | ReplaceOperation<unknown>, old: string): string {
  const place = operation.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  if (operation.op === 'remove') return `${place}: ${old} -> nothing`;
  return `${place}: ${operation.op === 'add' ? 'nothing' : old} -> ${JSON.stringify(operation.value)}`;
}
