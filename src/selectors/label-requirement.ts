import { type FieldError, fieldError, formatFieldErrors, isFull } from '../meta/field-error.js';
import { labelValue, qualifiedName } from '../meta/names.js';
import { readInt64 } from '../values/numbers.js';
import { ParseError } from '../values/parse-error.js';

/** The operators on labels. `=` and `==` mean the same; a formatted selector keeps the one that was parsed. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. */
export interface LabelRequirement {
  /** The key of the label. */
  readonly key: string;
  /** How the label is compared with the values. */
  readonly operator: LabelOperator;
  /** The values. Those of a parsed selector are sorted and without duplicates; those of an object are as they were written. */
  readonly values: readonly string[];
}

/** The labels of an object; undefined means that it has none. */
export type Labels = Readonly<Record<string, string>> | undefined;

const NO_VALUES: readonly string[] = Object.freeze([]);

/** Makes a requirement. @throws ParseError when the key is invalid or the values are invalid for the operator (spec 4.8). */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  requirementValues: readonly string[],
): LabelRequirement {
  const values = requirementValues.length === 0 ? NO_VALUES : [...requirementValues];
  const errors = [...keyErrors(key, 'key'), ...countErrors(operator, values)];
  for (const [index, value] of values.entries()) {
    if (isFull(errors)) break;
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(fieldError.invalid(`values[${index}][${key}]`, value, problems.join('; ')));
  }
  if (errors.length > 0) throw new ParseError(formatFieldErrors(errors));
  return { key, operator, values };
}

/** @throws ParseError for a key that is not a qualified name. The message begins with `<nil>:`, as in the responses of upstream. */
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
