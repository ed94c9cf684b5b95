import { UNBOUNDED } from '../../../cel/index.js';
import { excess, type PlacedRule, SCHEMA_ESTIMATE_LIMIT } from '../../../cel/rules.js';
import { printGoValue } from '../../../json/print-go.js';
import { isJsonObject, type JsonValue } from '../../../json/value.js';
import { addErrors, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { quote } from '../../../values/quote.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';
import { partsOf, type SchemaParts } from './schema-parts.js';

const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
/** If the total cost is above its limit, each rule with at least this cost is reported as contributing to it. */
const MIN_CONTRIBUTION = SCHEMA_ESTIMATE_LIMIT / 100;
const MOST_CONTRIBUTIONS = 4;

interface ExpressionRules {
  /** The prefix of schema extensions in the API dialect, such as `x-kubernetes-`. Paths in error messages contain it. */
  readonly prefix: string;
  /** Paths of schemas with errors other than those of rules. Rules at these paths and above them are not compiled. */
  readonly wrongPlaces: readonly string[];
  /** Whether a rule may exceed the cost limit of a single rule, because the stored definition contains the same schema. */
  readonly keepsCosts: boolean;
}

/** Returns the validation errors of a schema's rules: compilation errors and costs above the limits (spec 21.1). */
export function checkExpressions(
  schema: JSONSchemaProps,
  rules: readonly PlacedRule[],
  path: string,
  options: ExpressionRules,
): FieldError[] {
  const errors = typelessPlaces(schema, path, options).map((place) =>
    fieldError.internal(`${place}.${options.prefix}validations`, noType(options.prefix)),
  );
  const spent: { readonly path: string; readonly cost: number }[] = [];
  for (const rule of rules) {
    const place = [path, ...rule.path].join('.');
    if (options.wrongPlaces.some((wrong) => isAtOrBelow(wrong, place))) continue;
    const at = `${place}.${options.prefix}validations[${rule.index}]`;
    addErrors(errors, ruleErrors(rule, at, options));
    spent.push({ path: `${at}.rule`, cost: rule.cost });
    if (rule.messageCost > 0) spent.push({ path: `${at}.messageExpression`, cost: rule.messageCost });
    addErrors(errors, oldSelfErrors(rule, schema, path, at));
  }
  const total = Math.min(
    spent.reduce((sum, { cost }) => sum + cost, 0),
    UNBOUNDED,
  );
  const excessCost = excess(total, SCHEMA_ESTIMATE_LIMIT);
  if (excessCost === undefined) return errors;
  const greatest = spent.filter(({ cost }) => cost >= MIN_CONTRIBUTION).sort((a, b) => b.cost - a.cost);
  for (const { path: contributor } of greatest.slice(0, MOST_CONTRIBUTIONS))
    errors.push(
      fieldError.forbidden(
        contributor,
        'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      ),
    );
  const whole = `${options.prefix}validations estimated rule cost total for entire OpenAPIv3 schema`;
  errors.push(fieldError.forbidden(path, costMessage(whole, excessCost)));
  return errors;
}

const noType = (prefix: string) =>
  `internal error: failed to construct type information for ${prefix}validations rules: unable to convert structural schema to CEL declarations`;

/** Returns the paths of schemas that have rules but no type. Their rules cannot be compiled. */
function typelessPlaces(root: JSONSchemaProps, path: string, { wrongPlaces }: ExpressionRules): readonly string[] {
  const found: string[] = [];
  const visit = (schema: JSONSchemaProps, at: string): void => {
    const { properties, items, values, rules } = partsOf(schema);
    for (const [name, property] of properties) visit(property, `${at}.properties[${name}]`);
    if (items) visit(items, `${at}.items`);
    if (values) visit(values, `${at}.additionalProperties`);
    if (rules.length > 0 && isTypeless(schema) && !wrongPlaces.some((wrong) => isAtOrBelow(wrong, at))) found.push(at);
  };
  visit(root, path);
  return found;
}

function isTypeless(schema: JSONSchemaProps): boolean {
  const { type, items, values, isIntOrString } = partsOf(schema);
  const inner = type === 'array' ? items : type === 'object' ? values : undefined;
  return inner ? isTypeless(inner) : type === '' && !isIntOrString;
}

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}.`);

const costMessage = (what: string, factor: string) => `${what} exceeds budget by factor of ${factor} ${ADVICE}`;

function ruleErrors(
  { rule, error, cost, messageCost }: PlacedRule,
  at: string,
  options: ExpressionRules,
): FieldError[] {
  const errors: FieldError[] = [];
  const excessCost = options.keepsCosts ? undefined : excess(cost);
  if (excessCost !== undefined)
    errors.push(fieldError.forbidden(`${at}.rule`, costMessage('estimated rule cost', excessCost)));
  if (error !== undefined) {
    const member = error.startsWith('messageExpression ') ? 'messageExpression' : 'rule';
    errors.push(fieldError.invalid(`${at}.${member}`, printed(printRule(rule)), error));
  }
  const message = options.keepsCosts ? undefined : excess(messageCost);
  if (message !== undefined)
    errors.push(
      fieldError.forbidden(`${at}.messageExpression`, costMessage('estimated messageExpression cost', message)),
    );
  return errors;
}

/** Returns the validation errors of the use of `oldSelf` in a rule. */
function oldSelfErrors(
  { path, rule, compiled }: PlacedRule,
  schema: JSONSchemaProps,
  root: string,
  at: string,
): readonly FieldError[] {
  if (compiled?.isTransition) {
    const apart = uncorrelatable(schema, path);
    if (apart === undefined) return [];
    const within = [root, ...apart].join('.');
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`;
    return [fieldError.invalid(`${at}.rule`, rule.rule, why)];
  }
  return rule.optionalOldSelf === undefined
    ? []
    : [
        fieldError.invalid(
          `${at}.optionalOldSelf`,
          rule.optionalOldSelf,
          'may not be set if oldSelf is not used in rule',
        ),
      ];
}

/**
 * Returns the path of the first schema on `path` whose values cannot be matched with those of the old object: a list without keys, or an
 * object of an unknown map type. Returns undefined when all values can be matched.
 */
function uncorrelatable(schema: JSONSchemaProps, path: readonly string[]): readonly string[] | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const [i, step] of path.entries()) {
    if (at === undefined) return undefined;
    const { items, values, listType, mapType = 'granular' }: SchemaParts = partsOf(at);
    const known = step === 'items' ? listType === 'map' : mapType === 'granular' || mapType === 'atomic';
    if (!known) return path.slice(0, i);
    if (step === 'items') at = items;
    else if (step === 'additionalProperties') at = values;
    else at = at.properties?.[step.slice('properties['.length, -1)];
  }
  return undefined;
}

const PACKAGE = 'apiextensions.';
/** The address that is printed for every pointer. Upstream prints the address of a Go value here, so clients cannot depend on it. */
const ADDRESS = '0xc000000000';
const pointer = (type: string, value: unknown) => `(*${type})(${value === undefined ? 'nil' : ADDRESS})`;

/** The fields of a schema in upstream's order, each with its JSON name (if that differs) and its type. */
const FIELDS = [
  'ID:id:string Schema:$schema:string Ref:$ref:*string Description::string Type::string Nullable::bool Format::string Title::string',
  'Default::*JSON Maximum::*float64 ExclusiveMaximum::bool Minimum::*float64 ExclusiveMinimum::bool MaxLength::*int64 MinLength::*int64',
  'Pattern::string MaxItems::*int64 MinItems::*int64 UniqueItems::bool MultipleOf::*float64 Enum::[]JSON MaxProperties::*int64',
  'MinProperties::*int64 Required::[]string Items::*JSONSchemaPropsOrArray AllOf::[]JSONSchemaProps OneOf::[]JSONSchemaProps',
  'AnyOf::[]JSONSchemaProps Not::*JSONSchemaProps Properties::map[string] AdditionalProperties::*JSONSchemaPropsOrBool',
  'PatternProperties::map[string] Dependencies::JSONSchemaDependencies AdditionalItems::*JSONSchemaPropsOrBool',
  'Definitions::JSONSchemaDefinitions ExternalDocs::*ExternalDocumentation Example::*JSON',
  'XPreserveUnknownFields:-preserve-unknown-fields:*bool XEmbeddedResource:-embedded-resource:bool XIntOrString:-int-or-string:bool',
  'XListMapKeys:-list-map-keys:[]string XListType:-list-type:*string XMapType:-map-type:*string XValidations:-validations:rules',
].flatMap((line) =>
  line.split(' ').map((field) => {
    const [name = '', member = '', type = ''] = field.split(':');
    return { name, member: member || name.charAt(0).toLowerCase() + name.slice(1), type };
  }),
);

/**
 * Maximum number of nested schemas that are printed for one schema. Each takes a kilobyte in the message, however short it is in the
 * request.
 */
const MAX_SHOWN = 200;

/** The state of printing: the prefix of extensions, and how many more schemas may be printed. */
interface PrintState {
  readonly prefix: string;
  left: number;
}

/**
 * Formats a schema for error messages. Values behind pointers are not printed.
 * @param prefix the prefix of extensions
 */
export const printSchema = (schema: JSONSchemaProps, prefix: string): string =>
  printOne(schema, { prefix, left: MAX_SHOWN });

function printOne(schema: JSONSchemaProps, showing: PrintState): string {
  if (showing.left-- <= 0) return `${PACKAGE}JSONSchemaProps{...}`;
  const members = schema as Readonly<Record<string, unknown>>;
  const fields = FIELDS.map(({ name, member, type }) => {
    const value = members[member.startsWith('-') ? showing.prefix + member.slice(1) : member];
    return `${name}:${printMember(value, type, showing)}`;
  });
  return `${PACKAGE}JSONSchemaProps{${fields.join(', ')}}`;
}

function printMember(value: unknown, type: string, showing: PrintState): string {
  const list = (name: string, print: (item: never) => string) =>
    `${name}${value === undefined ? '(nil)' : `{${(value as readonly never[]).map(print).join(', ')}}`}`;
  const schemas = (name: string) =>
    value === undefined
      ? `${name}(nil)`
      : `${name}{${entriesOf(value)
          .map(([key, inner]) => `${quote(key)}:${printOne(inner as JSONSchemaProps, showing)}`)
          .join(', ')}}`;
  switch (type) {
    case 'string':
      return quote((value as string | undefined) ?? '');
    case 'bool':
      return String(value ?? false);
    case '[]string':
      return list(type, quote);
    case '[]JSON':
      return list(`[]${PACKAGE}JSON`, (item: JsonValue) =>
        item === null ? `${PACKAGE}JSON(nil)` : printGoValue(item),
      );
    case '[]JSONSchemaProps':
      return list(`[]${PACKAGE}JSONSchemaProps`, (item: JSONSchemaProps) => printOne(item, showing));
    case 'rules':
      return list(`${PACKAGE}ValidationRules`, printRule);
    case 'map[string]':
      return schemas(`${type}${PACKAGE}JSONSchemaProps`);
    case 'JSONSchemaDefinitions':
      return schemas(PACKAGE + type);
    case 'JSONSchemaDependencies':
      return `${PACKAGE}${type}${value === undefined ? '(nil)' : `{${entriesOf(value).map(printDependency).join(', ')}}`}`;
    default: {
      const name = type.slice(1);
      return pointer(/^[A-Z]/.test(name) ? PACKAGE + name : name, value);
    }
  }
}

function printDependency([key, value]: readonly [string, unknown]): string {
  const property = Array.isArray(value) ? `{${(value as readonly string[]).map(quote).join(', ')}}` : '(nil)';
  const schema = pointer(`${PACKAGE}JSONSchemaProps`, isJsonObject(value) ? value : undefined);
  return `${quote(key)}:${PACKAGE}JSONSchemaPropsOrStringArray{Schema:${schema}, Property:[]string${property}}`;
}

const entriesOf = (map: unknown) => Object.entries(map as object).sort(([a], [b]) => (a < b ? -1 : 1));

/** Formats a rule for error messages. */
function printRule(rule: ValidationRule): string {
  const { message = '', messageExpression = '', fieldPath = '' } = rule;
  return (
    `${PACKAGE}ValidationRule{Rule:${quote(rule.rule)}, Message:${quote(message)}, MessageExpression:${quote(messageExpression)}, ` +
    `Reason:${pointer(`${PACKAGE}FieldValueErrorReason`, rule.reason)}, FieldPath:${quote(fieldPath)}, ` +
    `OptionalOldSelf:${pointer('bool', rule.optionalOldSelf)}}`
  );
}
