import { equalJson } from '../../../json/equal.js';
import { printGoValue } from '../../../json/print-go.js';
import { addErrors, type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import { IMPLICIT_FIELDS, prune } from '../../../schema/prune.js';
import type { Schema } from '../../../schema/schema.js';
import { validateStructural } from '../../../schema/structural.js';

/** What is wrong with the defaults of a schema: they must satisfy it, and have no unknown fields (spec 21.2). */
export function checkDefaults(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const visit = (at: Schema, here: string): void => {
    if (isFull(errors)) return;
    if (at.default !== undefined) addErrors(errors, checkDefault(at, `${here}.default`));
    // Defaults of map values are checked where they are: in the values of a map they are not followed.
    if (at.type === 'list') visit(at.items, `${here}.items`);
    if (at.type === 'object')
      // What every object has takes no defaults at the root, which is said elsewhere.
      for (const [name, property] of at.properties)
        if (at !== schema || !IMPLICIT_FIELDS.includes(name)) visit(property.schema, `${here}.properties[${name}]`);
  };
  visit(schema, path);
  return errors;
}

function checkDefault(schema: Schema, path: string): FieldError[] {
  const value = schema.default ?? null;
  const errors: FieldError[] = [];
  if (!equalJson(prune(schema, value), value))
    errors.push(fieldError.invalid(path, printed(printGoValue(value)), 'must not have unknown fields'));
  // Messages name fields relative to the default.
  for (const error of validateStructural(schema, value, ''))
    errors.push({ ...error, path: error.path === '' || error.path === '<nil>' ? path : `${path}.${error.path}` });
  return errors;
}
