import { ParseError } from '../values/parse-error.js';
import { MAX_TERMS, tooMany } from './selector-bounds.js';

/** One condition of a field selector; `=` and `==` mean the same. */
export interface FieldRequirement {
  /** The path of the field, such as `metadata.name`. */
  readonly field: string;
  /** Whether the field must have the value, or must not. */
  readonly operator: '=' | '!=';
  /** The value. */
  readonly value: string;
}

/** A parsed field selector. An object is selected if all requirements hold; without requirements every object is selected. */
export interface FieldSelector {
  /** The requirements, all of which an object must satisfy. */
  readonly requirements: readonly FieldRequirement[];
  /** Returns whether an object is selected. `get` returns the value of a field as a string, '' when the field is absent. */
  matches(get: (field: string) => string): boolean;
}

/** Returns the selector with the given requirements. */
export function fieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  const fields = new Map<string, FieldRequirement[]>();
  for (const requirement of requirements) {
    const others = fields.get(requirement.field);
    if (others) others.push(requirement);
    else fields.set(requirement.field, [requirement]);
  }
  const tests = [...fields];
  return {
    requirements,
    // Requirements are grouped by field, so that each field of an object is read once.
    matches: (get) =>
      tests.every(([field, terms]) => {
        const actual = get(field);
        return terms.every(({ operator, value }) => (actual === value) === (operator === '='));
      }),
  };
}

/** The selector of every object. */
const everyField: FieldSelector = fieldSelector([]);

/**
 * Parses `f=v,g!=w` (spec 4.9). Requirements are sorted by their text.
 * @throws ParseError with the message of the 400 response. A selector with too many requirements is refused, too.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everyField;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort()) {
    if (term === '') continue;
    const match = /!=|==|=/.exec(term);
    if (match === null) throw new ParseError(`invalid selector: '${text}'; can't understand '${term}'`);
    const field = term.slice(0, match.index);
    const value = unescapeValue(term.slice(match.index + match[0].length));
    // As in upstream, a term without a field and without a value selects every object.
    if (field === '' && value === '') continue;
    requirements.push({ field, operator: match[0] === '!=' ? '!=' : '=', value });
    if (requirements.length > MAX_TERMS) throw tooMany(MAX_TERMS, 'requirements');
  }
  return fieldSelector(requirements);
}

/** Returns the value that a field must have; undefined when the selector does not require one. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.requirements.find((r) => r.field === field && r.operator === '=')?.value;
}

/** Splits at commas that are not escaped by a backslash. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let out = '';
  let escaped = false;
  for (const char of text) {
    const special = char === '\\' || char === ',' || char === '=';
    if (escaped) {
      if (!special) throw new ParseError(`invalid field selector: invalid escape sequence: \\${char}`);
      out += char;
      escaped = false;
    } else if (char === '\\') escaped = true;
    else if (special)
      throw new ParseError(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    else out += char;
  }
  if (escaped) throw new ParseError('invalid field selector: invalid escape sequence: \\');
  return out;
}
