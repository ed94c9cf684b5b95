import type { AddOperation, Operation, RemoveOperation, ReplaceOperation } from 'fast-json-patch';

export type { Operation };

/** Returns the JSON Patch that turns one value into another, and tests each value before it replaces or removes the value. */
export async function patchBetween(before: object, after: object): Promise<readonly Operation[]> {
  // Some loaders do not recognize the named exports of this package, so its default export is used.
  const { default: jsonPatch } = await import('fast-json-patch');
  return jsonPatch.compare(before, after, true);
}

/**
 * Describes the differences between two objects for people, one line for each place: `data/color: "red" -> "blue"`. The list is empty if
 * they are equal.
 */
export async function describeDifferences(before: object, after: object): Promise<readonly string[]> {
  return describeOperations(await patchBetween(before, after));
}

/** Describes, like {@link describeDifferences}, the operations of a patch that tests all old values. */
export function describeOperations(operations: readonly Operation[]): readonly string[] {
  const lines: string[] = [];
  // Each replacement and removal is preceded by a test, which contains the old value.
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
