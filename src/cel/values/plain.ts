import type { Adapt } from './lists.js';
import { EvaluationError } from './value.js';

/* Adapters of fields whose members are values as they are. Compiled selections know them, and ask them only where a member is something else. */

export const plainText: Adapt = (member) => {
  if (typeof member === 'string') return member;
  return member === null ? undefined : new EvaluationError('invalid data, expected a string');
};

export const plainBool: Adapt = (member) => {
  if (typeof member === 'boolean') return member;
  return member === null ? undefined : new EvaluationError('invalid data, expected a boolean');
};
