import type { FieldSelector } from '../../src/selectors/field-selector.js';

/** The canonical text of a field selector. */
export const formatFieldSelector = ({ requirements }: FieldSelector): string =>
  requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');

/** Puts a backslash before what has a meaning in a selector. */
const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
