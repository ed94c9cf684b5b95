import type { Constant } from '../syntax/ast.js';
import { toDurationValue, toTimestampValue } from '../values/conversions.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import type { Library } from './library.js';
import { patternProblem } from './pattern.js';

const converts =
  (convert: (value: Value) => Outcome) =>
  (literal: Constant): boolean =>
    !(convert(literal) instanceof EvaluationError);

/** The library that checks literal durations, timestamps and patterns, so that the checker reports those that are not valid. */
export const literalChecks: Library = Object.freeze({
  name: 'literal checks',
  literals: {
    duration: converts(toDurationValue),
    timestamp: converts(toTimestampValue),
    matches: (literal: Constant) => typeof literal !== 'string' || patternProblem(literal) === undefined,
  },
});
