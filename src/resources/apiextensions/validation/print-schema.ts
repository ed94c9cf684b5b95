import { printGoValue } from '../../../json/print-go.js';
import { isJsonObject, type JsonValue } from '../../../json/value.js';
import { quote } from '../../../values/quote.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';

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
export function printRule(rule: ValidationRule): string {
  const { message = '', messageExpression = '', fieldPath = '' } = rule;
  return (
    `${PACKAGE}ValidationRule{Rule:${quote(rule.rule)}, Message:${quote(message)}, MessageExpression:${quote(messageExpression)}, ` +
    `Reason:${pointer(`${PACKAGE}FieldValueErrorReason`, rule.reason)}, FieldPath:${quote(fieldPath)}, ` +
    `OptionalOldSelf:${pointer('bool', rule.optionalOldSelf)}}`
  );
}
