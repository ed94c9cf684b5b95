import type { Constant } from '../syntax/ast.js';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type, UINT } from '../typing/type.js';
import { Double, Uint } from '../values/numbers.js';

export function constantType(value: Constant): Type {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'string':
      return STRING;
    case 'number':
    case 'bigint':
      return INT;
  }
  if (value instanceof Uint) return UINT;
  return value instanceof Double ? DOUBLE : BYTES;
}
