import { type PlacedRule, REQUEST_LIMIT } from '../../../cel/rules.js';
import { equalJson } from '../../../json/equal.js';
import { printGoValue } from '../../../json/print-go.js';
import type { JsonObject, JsonValue } from '../../../json/value.js';
import { aggregateErrors } from '../../../meta/aggregate-error.js';
import {
  addErrors,
  type FieldError,
  fieldError,
  formatFieldError,
  isFull,
  printed,
} from '../../../meta/field-error.js';
import { embeddedTypeProblem } from '../../../schema/decode-structural.js';
import { IMPLICIT_FIELDS, prune } from '../../../schema/prune.js';
import type { ObjectSchema, Schema } from '../../../schema/schema.js';
import { validateValues } from '../../../schema/structural.js';
import { validateEmbedded } from '../../../schema/structural-invariants.js';
import { defaultProblems, type Place, placeRules } from '../rules/rule-tree.js';

/** The object that a default is in: a kind's own, or one embedded in it. */
interface Surroundings {
  readonly schema: Schema;
  /** The object with a value where the default is. */
  put(value: JsonValue): JsonValue;
  /** Whether the default is in what every object has. */
  readonly inMeta: boolean;
}

/**
 * What is wrong with the defaults of a schema: they must satisfy it and its rules, and have no unknown fields (spec 21.2).
 * @param rules of the schema, compiled
 */
export function checkDefaults(schema: Schema, rules: readonly PlacedRule[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const budget = { remaining: REQUEST_LIMIT };
  const visit = (at: Schema, place: Place | undefined, here: string, outer: Surroundings): void => {
    if (isFull(errors) || budget.remaining < 0) return;
    const isWhole = at === schema || isEmbedded(at);
    const around = isWhole ? wholeObject(at as ObjectSchema) : outer; // only objects are embedded
    if (at.default !== undefined) {
      const found = checkDefault(at, `${here}.default`, around);
      // What fails otherwise is not evaluated.
      const wrong = found.some(({ detail }) => detail !== UNKNOWN_FIELDS);
      addErrors(errors, found);
      if (place && !wrong) addErrors(errors, defaultProblems(place, `${here}.default`, budget));
    }
    // Defaults of map values are checked where they are: in the values of a map they are not followed.
    if (at.type === 'list')
      visit(at.items, place?.below.get('items'), `${here}.items`, {
        ...around,
        put: (value) => around.put([value]),
      });
    if (at.type === 'object')
      for (const [name, { schema: inner }] of at.properties) {
        const step = `properties[${name}]`;
        visit(inner, place?.below.get(step), `${here}.${step}`, {
          schema: around.schema,
          put: (value) => around.put({ [name]: value }),
          inMeta: around.inMeta || (isWhole && IMPLICIT_FIELDS.includes(name)),
        });
      }
  };
  visit(schema, rules.length > 0 ? placeRules(schema, rules) : undefined, path, wholeObject(schema as ObjectSchema));
  return errors;
}

const UNKNOWN_FIELDS = 'must not have unknown fields';

const isEmbedded = (schema: Schema): boolean => schema.type === 'object' && schema.embeddedResource === true;

const wholeObject = (schema: ObjectSchema): Surroundings => ({
  schema: { ...schema, embeddedResource: true },
  put: (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject) }),
  inMeta: false,
});

function checkDefault(schema: Schema, path: string, { schema: outer, put, inMeta }: Surroundings): FieldError[] {
  const value = schema.default ?? null;
  const errors: FieldError[] = [];
  if (inMeta) {
    const problem = objectProblem(outer, put(value));
    if (problem !== undefined)
      return [fieldError.invalid(path, printed(printGoValue(value)), `must result in valid metadata: ${problem}`)];
  } else {
    if (!equalJson(prune(schema, value, { keepsNull: true }), value))
      errors.push(fieldError.invalid(path, printed(printGoValue(value)), UNKNOWN_FIELDS));
    const wrongType = embeddedTypeProblem(schema, value, path);
    if (wrongType) return [...errors, wrongType];
    const embedded = validateEmbedded(schema, value, path);
    if (embedded.length > 0) return [...errors, ...embedded];
  }
  // Messages name fields relative to the default.
  for (const error of validateValues(schema, value, ''))
    errors.push({ ...error, path: error.path === '' || error.path === '<nil>' ? path : `${path}.${error.path}` });
  return errors;
}

/** What is wrong with what every object has, in an object and those in it. */
function objectProblem(schema: Schema, object: JsonValue): string | undefined {
  const wrongType = embeddedTypeProblem(schema, object, '');
  if (wrongType) return formatFieldError(wrongType);
  return aggregateErrors(validateEmbedded(schema, object, '').map((error) => new Error(formatFieldError(error))))
    ?.message;
}
