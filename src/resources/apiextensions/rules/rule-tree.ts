import type { Budget } from '../../../cel/index.js';
import {
  type CompiledRule,
  languageOf,
  type PlacedRule,
  REQUEST_LIMIT,
  type Rule,
  schemaRules,
} from '../../../cel/rules.js';
import { isJsonObject } from '../../../json/value.js';
import type { Dialect } from '../../../meta/dialect.js';
import { type FieldError, fieldError, formatFieldError, isFull } from '../../../meta/field-error.js';
import { isUnchanged, itemBefore, itemsByKeys } from '../../../schema/constraints/unchanged.js';
import { belowSchema, followPath } from '../../../schema/field-path.js';
import type { ObjectSchema, Schema } from '../../../schema/schema.js';
import { isTypeOfObject } from '../../../schema/structural.js';
import { trimSpace } from '../../../values/trim-space.js';

/** A position in a schema, with the CEL rules for its values. */
export interface Place {
  readonly schema: Schema;
  readonly rules: PlacedRule[];
  /**
   * The positions directly below this one that have rules, or that lead to rules. The key is `items`, `additionalProperties` or
   * `properties[name]`.
   */
  readonly below: Map<string, Place>;
}

/** The result of evaluating rules. */
export interface RuleProblems {
  readonly errors: readonly FieldError[];
  /** Failures of rules about unchanged values. They are sent to the client as warnings. */
  readonly warnings: readonly string[];
}

/** The compiled rules of a kind. */
export interface RuleTree {
  /**
   * Evaluates the rules for a whole object.
   * @param old the object before an update
   * @param ratchets whether rules about unchanged values only warn
   */
  evaluate(object: object, old: object | undefined, ratchets: boolean): RuleProblems;
}

/** Compiles the rules of a kind's schema. */
export function compileRules(schema: ObjectSchema, dialect: Dialect): RuleTree {
  const rules = schemaRules(schema, languageOf(dialect));
  const root = placeRules(
    schema,
    rules.filter(({ path }) => !isWithinUntyped(schema, path)),
  );
  return {
    evaluate(object, old, ratchets) {
      const evaluation = new Evaluation(ratchets && old !== undefined);
      evaluation.visit(root, { path: '', value: object, old, unchanged: undefined });
      return evaluation;
    },
  };
}

/**
 * Evaluates the rules of a schema position, and of the positions below it, on the default value of its schema. The default must be valid
 * both with itself as `oldSelf`, and as an added value without `oldSelf`.
 * @param budget the cost limit for all defaults of a schema
 */
export function defaultProblems(place: Place, path: string, budget: Budget): readonly FieldError[] {
  const value = place.schema.default;
  const errorsOf = (old: unknown, own: Budget) => {
    const evaluation = new Evaluation(false, own);
    evaluation.visit(place, { path, value, old, unchanged: undefined });
    return evaluation.errors;
  };
  const before = { ...budget };
  const stays = errorsOf(value, budget);
  if (stays.length > 0) return stays;
  const comes = errorsOf(undefined, before);
  budget.remaining = Math.min(budget.remaining, before.remaining);
  return comes;
}

/** Returns the root of a tree of the schema positions that have rules. */
export function placeRules(schema: Schema, placed: readonly PlacedRule[]): Place {
  const root: Place = { schema, rules: [], below: new Map() };
  for (const rule of placed) {
    let at = root;
    let inner: Schema = schema;
    for (const step of rule.path) {
      inner = schemaBelow(inner, step);
      let next = at.below.get(step);
      if (!next) at.below.set(step, (next = { schema: inner, rules: [], below: new Map() }));
      at = next;
    }
    at.rules.push(rule);
  }
  return root;
}

/** Returns whether a place is within a part without a type. As in upstream, the rules of such places are not evaluated. */
function isWithinUntyped(schema: Schema, path: readonly string[]): boolean {
  let at = schema;
  for (const step of path) {
    if (at.type === 'object' && at.declaredType !== undefined) return true;
    at = schemaBelow(at, step);
  }
  return false;
}

function schemaBelow(schema: Schema, step: string): Schema {
  if (schema.type === 'list') return schema.items;
  if (schema.type === 'map') return schema.values;
  const found =
    schema.type === 'object' ? schema.properties.get(step.slice('properties['.length, -1))?.schema : undefined;
  if (found === undefined) throw new TypeError(`the schema has no ${step}`);
  return found;
}

/** A value for which rules are evaluated. */
interface Visited {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  /**
   * For a value that the old object lacks: returns whether the closest enclosing value that the old object has is unchanged. Otherwise
   * undefined.
   */
  readonly unchanged: (() => boolean) | undefined;
}

class Evaluation implements RuleProblems {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #budget: Budget;
  readonly #ratchets: boolean;
  #ended = false;

  constructor(ratchets: boolean, budget: Budget = { remaining: REQUEST_LIMIT }) {
    this.#ratchets = ratchets;
    this.#budget = budget;
  }

  visit(place: Place, at: Visited): void {
    if (this.#ended || isFull(this.errors) || at.value === null || at.value === undefined) return;
    let same: boolean | undefined;
    const compare = () => {
      same ??= this.#ratchets && isUnchanged(place.schema, at.value, at.old);
      return same;
    };
    const unchanged = at.unchanged ?? compare;
    for (const rule of place.rules) {
      this.#rule(rule, place, at, unchanged);
      if (this.#ended) return;
    }
    const { schema } = place;
    if (Array.isArray(at.value)) this.#items(place, at, at.value, unchanged);
    else if (isJsonObject(at.value)) this.#members(place, schema, at, at.value, unchanged);
  }

  #items(place: Place, { path, old, unchanged: above }: Visited, items: readonly unknown[], unchanged: () => boolean) {
    const below = place.below.get('items');
    if (!below) return;
    const keys = place.schema.type === 'list' && place.schema.listType === 'map' ? place.schema.mapKeys : undefined;
    const before = keys && above === undefined ? itemsByKeys(old, keys) : undefined;
    for (const [i, value] of items.entries()) {
      const previous = keys && itemBefore(before, value, keys);
      // An item that has no counterpart in the old list counts as unchanged if the list is unchanged.
      const around = previous === undefined ? unchanged : undefined;
      this.visit(below, { path: `${path}[${i}]`, value, old: previous, unchanged: around });
    }
  }

  #members(
    place: Place,
    schema: Schema,
    { path, old, unchanged: above }: Visited,
    value: Readonly<Record<string, unknown>>,
    unchanged: () => boolean,
  ): void {
    const previous = above === undefined && isJsonObject(old) ? old : undefined;
    const visit = (below: Place, name: string, at: string) => {
      const before = previous !== undefined && Object.hasOwn(previous, name) ? previous[name] : undefined;
      const around = before === undefined ? unchanged : undefined;
      const within = isTypeOfObject(path, name) ? never : around;
      this.visit(below, { path: at, value: value[name], old: before, unchanged: within });
    };
    if (schema.type === 'map') {
      const below = place.below.get('additionalProperties');
      if (below) for (const name of Object.keys(value)) visit(below, name, `${path}[${name}]`);
      return;
    }
    for (const [step, below] of place.below) {
      const name = step.slice('properties['.length, -1);
      if (Object.hasOwn(value, name)) visit(below, name, path === '' ? name : `${path}.${name}`);
    }
  }

  #rule(placed: PlacedRule, place: Place, { path, value, old }: Visited, unchanged: () => boolean): void {
    const { compiled } = placed;
    const type = typeOf(place.schema);
    const add = (error: FieldError) => {
      if (compiled?.isTransition !== true && unchanged()) this.warnings.push(formatFieldError(error));
      else this.errors.push(error);
    };
    if (compiled === undefined) {
      // An empty rule is reported only where it is declared.
      if (trimSpace(placed.rule.rule) === '') return;
      this.errors.push(fieldError.invalid(path || NIL, type, `rule compile error: ${placed.error}`));
      return;
    }
    // As in upstream, messages can use `oldSelf` only if one of the rules at the place does.
    const usesOld = place.rules.some((each) => each.compiled?.isTransition);
    const outcome = compiled.evaluate({ self: value, oldSelf: usesOld ? old : undefined }, this.#budget);
    switch (outcome.result) {
      case 'valid':
      case 'skipped':
        return;
      case 'invalid':
        add(refusal(compiled, place.schema, { path, type, message: outcome.message }));
        return;
      case 'exhausted':
        this.#ended = true;
        if (outcome.byMessage)
          add(fieldError.invalid(pathOf(compiled.rule, place.schema, path), type, outcome.message));
        else this.errors.push(fieldError.invalid(path || NIL, type, outcome.message));
        return;
      default:
        this.errors.push(fieldError.invalid(path || NIL, type, outcome.message));
    }
  }
}

const never = () => false;

/** The path with which error messages refer to the whole object. */
const NIL = '<nil>';

/** The rules of custom resource definitions may have `reason` and `fieldPath`. The type `Rule` declares neither, so casts are needed. */
type CustomRule = Rule & { readonly reason?: string; readonly fieldPath?: string };

/** Returns the path with which the refusal of a value refers to it: the path of the value, or of the member that `fieldPath` names. */
function pathOf(rule: Rule, schema: Schema, path: string): string {
  const { fieldPath = '' } = rule as CustomRule;
  const found = fieldPath === '' ? '' : followPath(fieldPath, schema, belowSchema);
  const field = typeof found === 'string' ? '' : found.path; // Validation of the definition has ensured that the path can be followed.
  return [path, field].filter((part) => part !== '').join('.') || NIL;
}

function refusal(
  { rule }: CompiledRule,
  schema: Schema,
  { path, type, message }: { readonly path: string; readonly type: string; readonly message: string },
): FieldError {
  const at = pathOf(rule, schema, path);
  switch ((rule as CustomRule).reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(at, message);
    case 'FieldValueRequired':
      return fieldError.required(at, message);
    case 'FieldValueDuplicate':
      return fieldError.duplicate(at, type);
    default:
      return fieldError.invalid(at, type, message);
  }
}

/** Returns the name of a schema's type in error messages. */
function typeOf({ type }: Schema): string {
  switch (type) {
    case 'map':
      return 'object';
    case 'list':
      return 'array';
    case 'intOrString':
    case 'any':
      return '';
    default:
      return type;
  }
}
