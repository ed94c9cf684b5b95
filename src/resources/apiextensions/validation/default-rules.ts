import { type PlacedRule, REQUEST_LIMIT } from '../../../cel/index.js';
import { equalJson } from '../../../json/equal.js';
import { printGoValue } from '../../../json/print-go.js';
import { addErrors, type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import { IMPLICIT_FIELDS, prune } from '../../../schema/prune.js';
import type { Schema } from '../../../schema/schema.js';
import { validateStructural } from '../../../schema/structural.js';
import { defaultProblems, type Place, placeRules } from '../rules/rule-tree.js';

/**
 * What is wrong with the defaults of a schema: they must satisfy it and its rules, and have no unknown fields (spec 21.2).
 * @param rules of the schema, compiled
 */
export function checkDefaults(schema: Schema, rules: readonly PlacedRule[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const budget = { remaining: REQUEST_LIMIT };
  const visit = (at: Schema, place: Place | undefined, here: string): void => {
    if (isFull(errors) || budget.remaining < 0) return;
    if (at.default !== undefined) {
      const found = checkDefault(at, `${here}.default`);
      // What fails otherwise is not evaluated.
      const wrong = found.some(({ detail }) => detail !== UNKNOWN_FIELDS);
      addErrors(errors, found);
      if (place && !wrong) addErrors(errors, defaultProblems(place, `${here}.default`, budget));
    }
    // Defaults of map values are checked where they are: in the values of a map they are not followed.
    if (at.type === 'list') visit(at.items, place?.below.get('items'), `${here}.items`);
    if (at.type === 'object')
      // What every object has takes no defaults at the root, which is said elsewhere.
      for (const [name, { schema: inner }] of at.properties)
        if (at !== schema || !IMPLICIT_FIELDS.includes(name)) {
          const step = `properties[${name}]`;
          visit(inner, place?.below.get(step), `${here}.${step}`);
        }
  };
  visit(schema, rules.length > 0 ? placeRules(schema, rules) : undefined, path);
  return errors;
}

const UNKNOWN_FIELDS = 'must not have unknown fields';

function checkDefault(schema: Schema, path: string): FieldError[] {
  const value = schema.default ?? null;
  const errors: FieldError[] = [];
  if (!equalJson(prune(schema, value), value))
    errors.push(fieldError.invalid(path, printed(printGoValue(value)), UNKNOWN_FIELDS));
  // Messages name fields relative to the default.
  for (const error of validateStructural(schema, value, ''))
    errors.push({ ...error, path: error.path === '' || error.path === '<nil>' ? path : `${path}.${error.path}` });
  return errors;
}
