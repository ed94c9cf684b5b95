import type { RE2JS } from 're2js';
import { createRequire } from '#re2';
import { noSuchOverload } from '../values/arithmetic.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded, spend } from '../values/work.js';

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

/** What is wrong with a pattern, in the words of RE2; undefined where nothing is. */
export function patternProblem(source: string): string | undefined {
  const pattern = patternOf(source);
  return pattern instanceof EvaluationError ? pattern.message : undefined;
}

/** Loaded with the first pattern. */
let engine: typeof RE2JS | undefined;

function compilePattern(source: string): RE2JS | EvaluationError {
  try {
    engine ??= createRequire(import.meta.url)('re2js').RE2JS;
    const pattern = engine.compile(source);
    spend(pattern.programSize() * COMPILED);
    return pattern;
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error;
    return new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

/** Units of work for each step of the program of a pattern: to make it, and to take one character through 16 of them. */
const COMPILED = 64;
const STEPS = 16;

/**
 * Work of a search through `length` characters: in proportion to the program, which repetitions (`(a{30}){30}`) make larger than
 * exact costs, which go by the length of the pattern, can see.
 * @throws {BudgetExceeded}
 */
export const spendMatch = (pattern: RE2JS, length: number): void =>
  spend(Math.ceil(((length + 1) * pattern.programSize()) / STEPS));

/** `text.matches(pattern)`: whether the pattern is found anywhere. */
export function matches(text: Value, source: Value): Outcome {
  if (typeof text !== 'string' || typeof source !== 'string') return noSuchOverload();
  const pattern = patternOf(source);
  if (pattern instanceof EvaluationError) return pattern;
  spendMatch(pattern, text.length);
  return pattern.test(text);
}
