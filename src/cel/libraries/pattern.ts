import type { RE2JS } from 're2js';
import { createRequire } from '#re2';
import { compileGoPattern } from '../../values/go-pattern.js';
import { noSuchOverload } from '../values/arithmetic.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { BudgetExceeded, spend } from '../values/work.js';

/** A small cache of compiled patterns. */
const patterns = new Map<string, RE2JS | EvaluationError>();
/**
 * The maximum size of the cached patterns together, and of one of them, in characters and compiled instructions. The cache is limited,
 * because patterns come from callers, and a short one such as `(x|\pL){900}` takes a megabyte.
 */
const MOST_KEPT = 60_000;
const MOST_OF_ONE = MOST_KEPT / 4;
/** The minimum size that a pattern is counted as. */
const LEAST_KEPT = 100;
let kept = 0;

/**
 * Returns a compiled RE2 pattern, which matches in linear time.
 * @throws BudgetExceeded when its compilation takes too much work.
 */
export function patternOf(source: string): RE2JS | EvaluationError {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const compiledPattern = compilePattern(source);
  const steps = compiledPattern instanceof EvaluationError ? 0 : compiledPattern.programSize();
  const size = Math.max(LEAST_KEPT, source.length + steps);
  if (size > MOST_OF_ONE) return compiledPattern;
  if (kept + size > MOST_KEPT) {
    patterns.clear();
    kept = 0;
  }
  kept += size;
  patterns.set(source, compiledPattern);
  return compiledPattern;
}

/** Returns the error of a pattern, with the message of RE2; undefined for a valid pattern. */
export function patternProblem(source: string): string | undefined {
  const pattern = patternOf(source);
  return pattern instanceof EvaluationError ? pattern.message : undefined;
}

/** The RE2 engine, loaded with the first pattern. */
let engine: typeof RE2JS | undefined;

function compilePattern(source: string): RE2JS | EvaluationError {
  // Once the work is spent, further patterns are refused before they are compiled.
  spend(source.length);
  try {
    engine ??= createRequire(import.meta.url)('re2js').RE2JS;
    const pattern = compileGoPattern(engine, source);
    spend(pattern.programSize() * WORK_PER_COMPILED_STEP);
    return pattern;
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error;
    return new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Compiling costs `WORK_PER_COMPILED_STEP` units of work for each instruction of the pattern's RE2 program. Matching is assumed to execute
 * every instruction for every character, and costs one unit for `STEPS_PER_WORK_UNIT` executed instructions.
 */
const WORK_PER_COMPILED_STEP = 64;
const STEPS_PER_WORK_UNIT = 16;

/**
 * Spends the work of a search through `length` characters, which is proportional to the size of the compiled program. The actual cost
 * depends only on the length of the pattern, although repetitions (`(a{30}){30}`) make the program much larger.
 * @throws BudgetExceeded
 */
export const spendMatch = (pattern: RE2JS, length: number): void =>
  spend(Math.ceil(((length + 1) * pattern.programSize()) / STEPS_PER_WORK_UNIT));

/** Evaluates `text.matches(pattern)`: whether the pattern matches anywhere. */
export function matches(text: Value, source: Value): Outcome {
  if (typeof text !== 'string' || typeof source !== 'string') return noSuchOverload();
  const pattern = patternOf(source);
  if (pattern instanceof EvaluationError) return pattern;
  spendMatch(pattern, text.length);
  // The engine's own `test` builds an automaton, of which each pattern keeps up to 8 MiB for as long as it is cached.
  return pattern.matcher(text).find();
}
