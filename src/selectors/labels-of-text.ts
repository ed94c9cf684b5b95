import { fieldError, formatFieldError } from '../meta/field-error.js';
import { labelValue, qualifiedName } from '../meta/names.js';
import { ParseError } from '../values/parse-error.js';

/**
 * Parses labels written as `a=b,c=d`, the simplest form of a selector.
 * @throws ParseError for anything else, with the message of the API.
 */
export function labelsOfText(text: string): Readonly<Record<string, string>> {
  const labels: [string, string][] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const sides = part.split('=');
    const [key = '', value = ''] = sides.map((side) => side.trim());
    if (sides.length !== 2) throw new ParseError(`invalid selector: [${sides.join(' ')}]`);
    refuse('<nil>', key, qualifiedName(key));
    refuse(`[${key}]`, value, labelValue(value));
    labels.push([key, value]);
  }
  return Object.fromEntries(labels);
}

function refuse(path: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new ParseError(formatFieldError(fieldError.invalid(path, value, problems.join('; '))));
}
