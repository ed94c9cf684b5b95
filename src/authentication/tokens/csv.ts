import { utf8Length } from '../../values/utf8.js';

const BARE_QUOTE = 'bare " in non-quoted-field';
const STRAY_QUOTE = 'extraneous or missing " in quoted-field';

/**
 * Yields the records of a CSV text (RFC 4180). Commas separate fields; fields in double quotes may contain commas, line ends and doubled
 * quotes. Empty lines are skipped. Comments are not supported.
 * @throws TypeError for a misplaced quote, when the record with it is reached. The message is that of Go's `encoding/csv`: lines and columns
 * count from 1, columns in bytes.
 */
export function* readCsv(text: string): Generator<string[]> {
  const lines = linesOf(text);
  let first = 0;
  for (let next = lines.next(); !next.done; next = lines.next()) {
    first++;
    if (next.value !== '\n') first = yield* oneRecord(next.value, first, lines);
  }
}

/** Yields the lines of a text, each with its line end, which is always `\n`. The last line may lack it. */
function* linesOf(text: string): Generator<string, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = end < 0 ? text.slice(start) : text.slice(start, end);
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    // A carriage return at the end of the text is dropped. If nothing precedes it in its line, there is no such line.
    if (end >= 0) yield `${content}\n`;
    else if (content !== '') yield content;
    start = end < 0 ? text.length : end + 1;
  }
  return undefined;
}

/** Yields the record that begins in `line`. @returns the number of the record's last line */
function* oneRecord(line: string, first: number, lines: Iterator<string>): Generator<string[], number> {
  const record: string[] = [];
  let current = line;
  let number = first;
  let at = 0;
  const fail = (what: string, index: number): never => {
    const where = number === first ? '' : `record on line ${first}; `;
    const column = utf8Length(current.slice(0, index)) + 1;
    throw new TypeError(`${where}parse error on line ${number}, column ${column}: ${what}`);
  };
  const isEnd = (index: number) => index === current.length || current[index] === '\n';

  function quotedField(): string {
    const parts: string[] = [];
    at++;
    for (;;) {
      const quote = current.indexOf('"', at);
      if (quote < 0) {
        parts.push(current.slice(at));
        const next = lines.next();
        if (next.done) return fail(STRAY_QUOTE, current.length);
        current = next.value;
        number++;
        at = 0;
        continue;
      }
      parts.push(current.slice(at, quote));
      at = quote + 1;
      if (current[at] !== '"') {
        if (current[at] !== ',' && !isEnd(at)) fail(STRAY_QUOTE, quote);
        return parts.join('');
      }
      parts.push('"');
      at++;
    }
  }

  function plainField(): string {
    const comma = current.indexOf(',', at);
    const end = comma >= 0 ? comma : current.length - (current.endsWith('\n') ? 1 : 0);
    const field = current.slice(at, end);
    const quote = field.indexOf('"');
    if (quote >= 0) fail(BARE_QUOTE, at + quote);
    at = end;
    return field;
  }

  for (;;) {
    record.push(current[at] === '"' ? quotedField() : plainField());
    if (isEnd(at)) break;
    at++;
  }
  yield record;
  return number;
}
