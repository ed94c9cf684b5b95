import { type FieldError, fieldError } from '../../../meta/field-error.js';
import { followPath } from '../../../schema/field-path.js';
import type {
  CustomResourceColumnDefinition as CrdColumn,
  CustomResourceDefinitionVersion as CrdVersion,
} from '../apiextensions-v1.types.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { belowProps } from './schema-parts.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];
const MAX_SELECTABLE = 8;

/** Returns the problems of printer columns. */
export function checkColumns(columns: readonly CrdColumn[] = [], path: string): FieldError[] {
  return columns.flatMap(({ name, type, format = '', jsonPath }, i) => {
    const errors: FieldError[] = [];
    const at = `${path}[${i}]`;
    if (name === '') errors.push(fieldError.required(`${at}.name`));
    const types = `must be one of ${COLUMN_TYPES.join(',')}`;
    if (type === '') errors.push(fieldError.required(`${at}.type`, types));
    else if (!COLUMN_TYPES.includes(type)) errors.push(fieldError.invalid(`${at}.type`, type, types));
    if (format !== '' && !COLUMN_FORMATS.includes(format))
      errors.push(fieldError.invalid(`${at}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
    if (jsonPath === '') errors.push(fieldError.required(`${at}.JSONPath`));
    else errors.push(...simplePath(jsonPath, `${at}.JSONPath`));
    return errors;
  });
}

function simplePath(text: string, path: string): FieldError[] {
  return text.startsWith('.') ? [] : [fieldError.invalid(path, text, 'must be a simple json path starting with .')];
}

/** Returns the problems of the paths of a scale. */
export function checkSubresources(subresources: CrdVersion['subresources'], path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  return [
    ...pathUnder(specReplicasPath, ['.spec'], `${path}.scale.specReplicasPath`),
    ...pathUnder(statusReplicasPath, ['.status'], `${path}.scale.statusReplicasPath`),
    ...(labelSelectorPath === ''
      ? []
      : pathUnder(labelSelectorPath, ['.spec', '.status'], `${path}.scale.labelSelectorPath`)),
  ];
}

function pathUnder(text: string, roots: readonly string[], path: string): FieldError[] {
  if (text === '') return [fieldError.required(path)];
  const errors = simplePath(text, path);
  if (errors.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return errors;
  const under = roots.length > 1 ? `either ${roots.join(' or ')}` : roots[0];
  return [fieldError.invalid(path, text, `should be a json path under ${under}`)];
}

/** Returns the problems of selectable fields. @param withoutSchema the message for a version without a schema */
export function checkSelectableFields(
  fields: CrdVersion['selectableFields'] = [],
  schema: JSONSchemaProps | undefined,
  path: string,
  withoutSchema: string,
): FieldError[] {
  if (fields.length === 0) return [];
  if (schema === undefined) return [fieldError.invalid(path, '', withoutSchema)];
  const errors: FieldError[] = [];
  const unique = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const at = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      errors.push(fieldError.required(at));
      continue;
    }
    const found = followPath(jsonPath, schema, belowProps, { keys: false });
    if (typeof found === 'string') {
      errors.push(fieldError.invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (/^metadata(?:[.[]|$)/.test(found.path))
      errors.push(fieldError.invalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!SELECTABLE_TYPES.includes(found.schema.type ?? ''))
      errors.push(
        fieldError.invalid(
          at,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      );
    if (unique.has(found.path)) errors.push(fieldError.duplicate(at, jsonPath));
    unique.add(found.path);
  }
  if (unique.size > MAX_SELECTABLE) errors.push(fieldError.tooMany(path, unique.size, MAX_SELECTABLE));
  return errors;
}
