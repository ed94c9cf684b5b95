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

/** The object that contains a default: one of the kind itself, or one embedded in it. */
interface DefaultContext {
  readonly schema: Schema;
  /** Returns the object with a value in the place of the default. */
  put(value: JsonValue): JsonValue;
  /** Whether the default is inside apiVersion, kind or metadata. */
  readonly inMeta: boolean;
}

/**
 * Returns the problems of a schema's defaults. They must satisfy the schema and its rules, and have no unknown fields (spec 21.2).
 * @param rules the compiled rules of the schema
 */
export function checkDefaults(schema: Schema, rules: readonly PlacedRule[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const budget = { remaining: REQUEST_LIMIT };
  const visit = (at: Schema, place: Place | undefined, here: string, outer: DefaultContext): void => {
    if (isFull(errors) || budget.remaining < 0) return;
    const isWhole = at === schema || isEmbedded(at);
    const around = isWhole ? wholeObject(at as ObjectSchema) : outer; // only objects are embedded
    if (at.default !== undefined) {
      const found = checkDefault(at, `${here}.default`, around);
      // Rules are not evaluated for a default with other errors.
      const wrong = found.some(({ detail }) => detail !== UNKNOWN_FIELDS);
      addErrors(errors, found);
      if (place && !wrong) addErrors(errors, defaultProblems(place, `${here}.default`, budget));
    }
    // Values of maps are not visited: their defaults are not checked by this walk.
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

const wholeObject = (schema: ObjectSchema): DefaultContext => ({
  schema: { ...schema, embeddedResource: true },
  put: (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject) }),
  inMeta: false,
});

function checkDefault(schema: Schema, path: string, { schema: outer, put, inMeta }: DefaultContext): FieldError[] {
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
  // Validation returns paths relative to the default.
  for (const error of validateValues(schema, value, ''))
    errors.push({ ...error, path: error.path === '' || error.path === '<nil>' ? path : `${path}.${error.path}` });
  return errors;
}

/** Returns the problem with the apiVersion, kind and metadata of an object and of the objects embedded in it. */
function objectProblem(schema: Schema, object: JsonValue): string | undefined {
  const wrongType = embeddedTypeProblem(schema, object, '');
  if (wrongType) return formatFieldError(wrongType);
  return aggregateErrors(validateEmbedded(schema, object, '').map((error) => new Error(formatFieldError(error))))
    ?.message;
}
