export function checkKey(versions: readonly object[], operations: readonly (object | undefined)[]): string[];
