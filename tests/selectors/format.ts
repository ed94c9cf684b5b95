import type { FieldSelector } from '../../src/selectors/field-selector.js';
import type { LabelSelector } from '../../src/selectors/label-selector.js';

/** The canonical text of a label selector. */
export function formatLabelSelector({ requirements }: LabelSelector): string {
  return requirements
    .map(({ key, operator, values }) => {
      if (operator === 'exists') return key;
      if (operator === '!') return `!${key}`;
      if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
      return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${values.join()}`;
    })
    .join(',');
}

/** The canonical text of a field selector. */
export const formatFieldSelector = ({ requirements }: FieldSelector): string =>
  requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');

/** Puts a backslash before what has a meaning in a selector. */
const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
