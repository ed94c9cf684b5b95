import { DecodeError, NumberRangeError } from '../../json/decode-error.js';
import { NumberText } from '../../json/number-text.js';
import type { JsonValue } from '../../json/value.js';
import type { NumberTexts } from '../../schema/decode.js';
import { setMember } from '../../schema/json-objects.js';
import { messageOf } from '../../values/message-of.js';
import { decodeJsonText, findDuplicates, numberTexts } from './keys.js';
import { jsonSyntaxError, MAX_DEPTH } from './syntax.js';

/** A parsed JSON document. */
export interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of duplicate keys, in document order; `value` has the last value of each key. */
  readonly duplicates: readonly string[];
  /** Whether some numbers are {@link NumberText}s. */
  readonly hasNumberTexts?: boolean;
  /** The error about a number beyond the range of a double. `value` contains Infinity instead. Present only with `keepsInfinity`. */
  readonly outOfRange?: NumberRangeError;
}

/** A parsed JSON document with its text. */
interface ParsedText extends ParsedJson {
  readonly text: string;
}

export interface ParseJsonOptions {
  /** Whether parsing looks for duplicate keys, which costs about as much as parsing. Default: false. */
  readonly duplicates?: boolean;
  /** Whether numbers whose literal differs from what JavaScript prints become {@link NumberText}s. Default: false. */
  readonly numberTexts?: boolean;
  /** Whether numbers beyond the range of a double become Infinity. Default: false, they are refused. */
  readonly keepsInfinity?: boolean;
}

/**
 * Parses a JSON document. Invalid UTF-8 and lone surrogates become U+FFFD, `__proto__` is an ordinary key, and numbers become doubles
 * (`numberTexts` finds their literals).
 * @throws DecodeError with the messages of spec 9.6
 */
export function parseJson(bytes: Uint8Array, options: ParseJsonOptions = {}): ParsedText {
  if (bytes.length > MAX_DEPTH && mayBeTooDeep(bytes)) refuseBadSyntax(bytes);
  const text = decodeJsonText(bytes);
  let value: JsonValue;
  try {
    // JSON.parse returns only JSON values, so the cast is safe.
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    refuseBadSyntax(bytes);
    throw new DecodeError(messageOf(error));
  }
  const duplicates = options.duplicates ? findDuplicates(text, value) : [];
  // A value that a repeated member replaces counts, too, but is only in the text.
  const outOfRange = findOutOfRange(bytes, text, duplicates.length > 0 ? undefined : value);
  if (outOfRange && !options.keepsInfinity) throw outOfRange;
  const texts = options.numberTexts ? numberTexts(text) : undefined;
  if (!texts?.size) return outOfRange ? { value, text, duplicates, outOfRange } : { value, text, duplicates };
  return { value: markNumbers(value, texts), text, duplicates, hasNumberTexts: true };
}

/** Replaces numbers of a freshly parsed value by {@link NumberText}s with their literals. */
export function markNumbers(value: JsonValue, texts: NumberTexts | string): JsonValue {
  if (typeof texts === 'string') return typeof value === 'number' ? new NumberText(texts) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [step, inner] of texts) {
    // An index into a list is read like a member's name, so the cast is safe for lists, too.
    const member = (value as { readonly [step: string]: JsonValue | undefined })[step];
    if (member !== undefined) setMember(value, String(step), markNumbers(member, inner));
  }
  return value;
}

/** Parses a JSON document and pauses before looking for duplicate keys, so that the process can do other work in between. */
export async function parseLargeJson(
  bytes: Uint8Array,
  { duplicates = false, pause, ...options }: ParseJsonOptions & { readonly pause: () => Promise<void> },
): Promise<ParsedText> {
  const parsed = parseJson(bytes, options);
  if (!duplicates) return parsed;
  await pause();
  return { ...parsed, duplicates: findDuplicates(parsed.text, parsed.value) };
}

function refuseBadSyntax(bytes: Uint8Array): void {
  const problem = jsonSyntaxError(bytes);
  if (problem !== undefined) throw new DecodeError(problem);
}

/**
 * Returns whether a document might be nested too deep. It counts all opening brackets; only {@link jsonSyntaxError} determines the depth.
 */
function mayBeTooDeep(bytes: Uint8Array): boolean {
  let openings = 0;
  for (let i = 0; i < bytes.length; i++) {
    // `[` and `{` differ in one bit, so one comparison finds both.
    if (((bytes[i] ?? 0) & 0xdf) === 0x5b && ++openings > MAX_DEPTH) return true;
  }
  return false;
}

/**
 * Returns the error about a number beyond the range of a double, which would silently become null in responses.
 * @param value the parsed document, if the whole text is in it. Searching the text takes longer.
 */
function findOutOfRange(bytes: Uint8Array, text: string, value: JsonValue | undefined): NumberRangeError | undefined {
  if (!/\d[eE]\+?\d{3}/.test(text) && !hasLongDigitRun(bytes)) return undefined;
  if (value !== undefined && !hasInfinity(value)) return undefined;
  const literal = hugeLiteral(text);
  return literal === undefined ? undefined : new NumberRangeError(literal);
}

/** Returns whether a value contains a number beyond the range of a double. */
export function hasInfinity(value: JsonValue): boolean {
  const stack: JsonValue[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next)) if (member !== undefined) stack.push(member);
  }
  return false;
}

/**
 * Returns whether there is a run of 210 digits. A number without three digits in its exponent is at most 10^99 times its digits, so it is
 * in the range of a double if it has fewer. Such a run contains one of the positions 127, 255, 383, …, so only these are examined.
 */
function hasLongDigitRun(bytes: Uint8Array): boolean {
  const digit = (i: number) => (bytes[i] ?? 0) >= 0x30 && (bytes[i] ?? 0) <= 0x39;
  for (let i = 127; i < bytes.length; i += 128) {
    if (!digit(i)) continue;
    let from = i;
    let to = i;
    while (digit(from - 1) && to - from < 210) from--;
    while (digit(to + 1) && to - from < 210) to++;
    if (to - from >= 209) return true;
  }
  return false;
}

function hugeLiteral(text: string): string | undefined {
  for (const [literal] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs)) {
    if (!literal.startsWith('"') && !Number.isFinite(Number(literal))) return literal.slice(0, 400);
  }
  return undefined;
}
