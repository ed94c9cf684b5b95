/** One error in a source. `offset` is a UTF-16 offset, or -1 for the whole expression. */
export interface SourceError {
  readonly offset: number;
  readonly message: string;
}

const MAX_SHOWN = 100;
const MAX_SNIPPET = 16_384;

/**
 * The error of parsing and checking. It contains all errors. Its message has upstream's form: for each error `ERROR: <input>:1:5: ...` with
 * a caret line.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly source: string;
  readonly errors: readonly SourceError[];

  constructor(source: string, errors: readonly SourceError[]) {
    super(formatErrors(source, errors));
    this.source = source;
    this.errors = errors;
  }
}

/** Formats the errors in the order of their positions, each with its source line and a caret. At most 100 errors are shown. */
export function formatErrors(source: string, errors: readonly SourceError[]): string {
  const lines = source.split('\n');
  const starts = lineStarts(lines);
  const sorted = [...errors].sort((a, b) => a.offset - b.offset);
  const shown = sorted.slice(0, MAX_SHOWN).map((error) => formatOne(lines, starts, error));
  if (sorted.length > MAX_SHOWN) shown.push(`${sorted.length - MAX_SHOWN} more errors were truncated`);
  return shown.join('\n');
}

/** Returns the line (from 1) and column (from 1, in code points) of an offset; `-1:0` for the whole expression. */
export function position(source: string, offset: number): { line: number; column: number } {
  const lines = source.split('\n');
  return place(lines, lineStarts(lines), offset);
}

function lineStarts(lines: readonly string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
}

function place(lines: readonly string[], starts: readonly number[], offset: number) {
  if (offset < 0) return { line: -1, column: 0 };
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const before = (lines[low] ?? '').slice(0, offset - (starts[low] ?? 0));
  return { line: low + 1, column: codePoints(before) + 1 };
}

function formatOne(lines: readonly string[], starts: readonly number[], error: SourceError): string {
  const { line, column } = place(lines, starts, error.offset);
  const head = `ERROR: <input>:${line}:${column}: ${error.message}`;
  const text = lines[line - 1];
  if (text === undefined || text.length > MAX_SNIPPET) return head;
  const characters = [...text.replaceAll('\t', ' ')];
  const dots = characters.slice(0, column - 1).map((character) => (isWide(character) ? '．' : '.'));
  const caret = isWide(characters[column - 1] ?? '') ? '＾' : '^';
  return `${head}\n | ${characters.join('')}\n | ${dots.join('')}${caret}`;
}

const isWide = (character: string): boolean => character > '\x7f';

/** Returns the number of code points of a string. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
