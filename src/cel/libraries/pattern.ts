import type { RE2JS } from 're2js';
import { loadRe2 } from '#re2';
import { noSuchOverload } from '../values/arithmetic.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';

/** Compiled patterns; they come from callers, so few are kept. */
const patterns = new Map<string, RE2JS | EvaluationError>();
const MOST_PATTERNS = 256;
const LONGEST_KEPT = 4_096;

/** A pattern of RE2, which matches in linear time. */
export function patternOf(source: string): RE2JS | EvaluationError {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const made = compilePattern(source);
  if (source.length > LONGEST_KEPT) return made;
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(source, made);
  return made;
}

function compilePattern(source: string): RE2JS | EvaluationError {
  try {
    return loadRe2().RE2JS.compile(source);
  } catch (error) {
    return new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

/** `text.matches(pattern)`: whether the pattern is found anywhere. */
export function matches(text: Value, source: Value): Outcome {
  if (typeof text !== 'string' || typeof source !== 'string') return noSuchOverload();
  const pattern = patternOf(source);
  return pattern instanceof EvaluationError ? pattern : pattern.matcher(text).find();
}
