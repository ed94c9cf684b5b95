import type { OverloadCost } from '../cost/cost.js';
import { regexEstimates } from '../cost/library-estimates.js';
import { INT, listOf, STRING } from '../typing/type.js';
import { TextList } from '../values/lists.js';
import type { Int } from '../values/numbers.js';
import { costSize } from '../values/size.js';
import { EvaluationError, type Outcome } from '../values/value.js';
import { libraryOf, member } from './declare.js';
import type { Library } from './library.js';
import { patternOf, spendMatch } from './pattern.js';
import { patternCost, traversal } from './standard.js';

const illegal = (error: EvaluationError): EvaluationError => new EvaluationError(`Illegal regex: ${error.message}`);

function find(text: string, source: string): Outcome {
  const pattern = patternOf(source);
  if (pattern instanceof EvaluationError) return illegal(pattern);
  spendMatch(pattern, text.length);
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/**
 * After each match, the remaining length divided by this number is charged for the next search, because few searches read the whole rest.
 */
const SEARCH_DIVISOR = 2;

function findAll(text: string, source: string, limit: Int = -1): Outcome {
  const pattern = patternOf(source);
  if (pattern instanceof EvaluationError) return illegal(pattern);
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  const matcher = pattern.matcher(text);
  const matches: string[] = [];
  let end = -1;
  spendMatch(pattern, text.length);
  while (matches.length < most && matcher.find()) {
    // In the worst case (`a[^b]*b|a`) every search reads the whole remaining string. Most searches read little of it, so only half is
    // charged.
    spendMatch(pattern, (text.length - matcher.end()) / SEARCH_DIVISOR);
    const group = matcher.group() ?? '';
    // An empty match next to the previous match does not count.
    if (group !== '' || matcher.start() !== end) matches.push(group);
    end = matcher.end();
  }
  return new TextList(matches);
}

const COST: OverloadCost = {
  actual: ([text, pattern]) => traversal(1 + costSize(text as Outcome)) * patternCost(costSize(pattern as Outcome)),
};

/** The library of regular expression searches. */
export const regex: Library = libraryOf(
  () => [
    member('find', 'string_find_string', [STRING, STRING], STRING, find, COST),
    member('findAll', 'string_find_all_string', [STRING, STRING], listOf(STRING), (t, p) => findAll(t, p), COST),
    member('findAll', 'string_find_all_string_int', [STRING, STRING, INT], listOf(STRING), findAll, COST),
  ],
  { name: 'regex', estimates: regexEstimates },
);
