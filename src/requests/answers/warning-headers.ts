import { utf8Length } from '../../values/utf8.js';

/** Characters of all warnings of an answer; beyond them each is cut, and what does not fit then is left out (spec 8.11). */
const MAX_TOTAL = 4096;
const MAX_CUT = 256;
/** Lines and their bytes: Node's clients fail on more than 128 headers over HTTP/2, and on more than 16 KiB of them over HTTP/1.1. */
const MAX_LINES = 100;
const MAX_BYTES = 8192;
/** Bytes that a line of HTTP/1.1 takes around its value. */
const AROUND = 'Warning: \r\n'.length;

/** Values of the header Warning: an answer's headers stay small, whatever there was to warn of. */
export function warningHeaders(warnings: Iterable<string>): string[] {
  const all = [...warnings].filter((text) => text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));
  const told = fitting(all, MAX_TOTAL) ?? cutToFit(all);
  return firstLines(told.map((text) => `299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`));
}

/** All texts, if they fit together. */
function fitting(texts: readonly string[], total: number): readonly string[] | undefined {
  let length = 0;
  for (const text of texts) if ((length += runes(text, total)) > total) return undefined;
  return texts;
}

// The last one may go beyond the total, as on the wire.
function cutToFit(texts: readonly string[]): string[] {
  const told: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length >= MAX_TOTAL) break;
    const cut = [...text.slice(0, 2 * MAX_CUT)].slice(0, MAX_CUT).join('');
    length += runes(cut, MAX_CUT);
    told.push(cut);
  }
  return told;
}

/** As many values as every client can read. */
function firstLines(values: readonly string[]): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const value of values.slice(0, MAX_LINES)) {
    bytes += utf8Length(value) + AROUND;
    if (bytes > MAX_BYTES) break;
    lines.push(value);
  }
  return lines;
}

/** Characters of a text; of one that is too long in any case its length does. */
const runes = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length);
