import { type FieldError, fieldError, formatFieldErrors, isFull } from '../meta/field-error.js';
import { labelValue, qualifiedName } from '../meta/names.js';
import { readInt64 } from '../values/numbers/integer.js';
import { ParseError } from '../values/parse-error.js';

/** How a label is compared; `=` and `==` mean the same and keep their spelling. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

/** Labels as objects carry them; absent means none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Makes a requirement.
 * @throws ParseError where key, values and operator do not go together (spec 4.8).
 */
export function labelRequirement(key: string, operator: LabelOperator, given: readonly string[]): LabelRequirement {
  const values = [...new Set(given)].sort();
  const errors = [...keyErrors(key, 'key'), ...countErrors(operator, values)];
  for (const [index, value] of values.entries()) {
    if (isFull(errors)) break;
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(fieldError.invalid(`values[${index}][${key}]`, value, problems.join('; ')));
  }
  if (errors.length > 0) throw new ParseError(formatFieldErrors(errors));
  return { key, operator, values };
}

/** @throws ParseError for a key that is not a qualified name. The text begins with `<nil>:` as on the wire. */
export function checkLabelKey(key: string): void {
  const errors = keyErrors(key, '<nil>');
  if (errors.length > 0) throw new ParseError(formatFieldErrors(errors));
}

function keyErrors(key: string, path: string): FieldError[] {
  const problems = qualifiedName(key);
  return problems.length === 0 ? [] : [fieldError.invalid(path, key, problems.join('; '))];
}

function countErrors(operator: LabelOperator, values: readonly string[]): FieldError[] {
  const wrong = (detail: string) => [fieldError.invalid('values', values, detail)];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? wrong("for 'in', 'notin' operators, values set can't be empty") : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : wrong('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : wrong('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt': {
      const errors = values.length === 1 ? [] : wrong("for 'Gt', 'Lt' operators, exactly one value is required");
      values.forEach((value, index) => {
        if (typeof readInt64(value) === 'bigint') return;
        errors.push(
          fieldError.invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"),
        );
      });
      return errors;
    }
  }
}

/** Everything that the requirements of a selector demand of one label. */
interface LabelTest {
  /** Whether an object without the label fails. */
  required: boolean;
  /** Whether an object with the label fails. */
  forbidden: boolean;
  /** Values of which the label must have one; undefined for any. */
  allowed: ReadonlySet<string> | undefined;
  excluded: Set<string> | undefined;
  /** Exclusive bounds. */
  above: bigint | undefined;
  below: bigint | undefined;
}

/**
 * Compiles requirements into one function. Requirements on the same label become one test, so that repeated terms cost an object nothing.
 * Only strings count as values of labels: inherited members of a plain object are absent labels.
 */
export function compileRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = new Map<string, LabelTest>();
  for (const requirement of requirements) addRequirement(tests, requirement);
  let required = 0;
  for (const test of tests.values()) if (test.required) required++;
  return (labels) => {
    if (labels === undefined) return required === 0;
    for (const [key, test] of tests) if (!passes(test, labels[key])) return false;
    return true;
  };
}

function addRequirement(tests: Map<string, LabelTest>, { key, operator, values }: LabelRequirement): void {
  let test = tests.get(key);
  if (test === undefined) {
    test = {
      required: false,
      forbidden: false,
      allowed: undefined,
      excluded: undefined,
      above: undefined,
      below: undefined,
    };
    tests.set(key, test);
  }
  switch (operator) {
    case '!=':
    case 'notin':
      test.excluded ??= new Set();
      for (const value of values) test.excluded.add(value);
      return;
    case '!':
      test.forbidden = true;
      return;
    case 'exists':
      break;
    case 'gt':
    case 'lt': {
      const bound = readInt64(values[0] ?? '');
      if (typeof bound !== 'bigint') test.allowed = new Set();
      else if (operator === 'gt') test.above = test.above === undefined || bound > test.above ? bound : test.above;
      else test.below = test.below === undefined || bound < test.below ? bound : test.below;
      break;
    }
    default: {
      const { allowed } = test;
      test.allowed = new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));
    }
  }
  test.required = true;
}

function passes({ required, forbidden, allowed, excluded, above, below }: LabelTest, value: unknown): boolean {
  if (typeof value !== 'string') return !required;
  if (forbidden || excluded?.has(value) || (allowed !== undefined && !allowed.has(value))) return false;
  if (above === undefined && below === undefined) return true;
  const number = readInt64(value);
  if (typeof number !== 'bigint') return false;
  return (above === undefined || number > above) && (below === undefined || number < below);
}
