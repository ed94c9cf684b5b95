import { resolvePlain } from './scalar.js';

/** The column beyond which lines are folded at the first space. */
const WIDTH = 80;

export interface Place {
  /** The column of the first character. */
  readonly column: number;
  /** The indentation of continuation lines. */
  readonly indent: number;
  /** Whether the text is a key, which stays on one line. */
  readonly key: boolean;
}

const BREAK = /[\n\u2028\u2029]/;
const SPACE_BEFORE_BREAK = / \n/;
/** Matches characters that are always escaped: control characters, the byte order mark, and everything beyond 16 bits. */
const SPECIAL = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** Matches texts such as 1:30, which older parsers read as numbers in base 60. */
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Returns the text as a block `|`, or undefined if it has no line feed or cannot be a block. */
export function literalBlock(text: string, indent: number): string | undefined {
  if (!text.includes('\n')) return undefined;
  // Parsers of YAML 1.1 and 1.2 disagree on whether U+2028 and U+2029 end a line.
  if (text.endsWith(' ') || SPACE_BEFORE_BREAK.test(text) || /[\u2028\u2029]/.test(text) || SPECIAL.test(text))
    return undefined;
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const prefix = ' '.repeat(indent);
  const lines = body.split('\n').map((line) => (line === '' ? '' : prefix + line));
  return `|${hint}${chomp}\n${lines.join('\n')}`;
}

/** Writes a string on one line or folded: plain if that reads back as the same string, else quoted. */
export function writeString(text: string, place: Place): string {
  const readsAsOtherType = resolvePlain(text).type !== 'string' || BASE_60.test(text) || text === '<<';
  if (readsAsOtherType || text.includes('\t') || BREAK.test(text) || SPECIAL.test(text))
    return doubleQuoted(text, place);
  return isPlain(text) ? fold(text, place, 'plain') : `'${fold(text.replaceAll("'", "''"), shifted(place), 'single')}'`;
}

const shifted = (place: Place): Place => ({ ...place, column: place.column + 1 });

function isPlain(text: string): boolean {
  if (/^[#,[\]{}&*!|>'"%@`]|^(?:---|\.\.\.)|^[?:-](?: |$)/.test(text)) return false;
  if (text.startsWith(' ') || text.endsWith(' ')) return false;
  return !/:(?: |$)| #/.test(text);
}

/** Breaks lines at single spaces beyond the width. */
function fold(text: string, place: Place, style: 'plain' | 'single'): string {
  if (place.key || place.column + text.length <= WIDTH) return text;
  const chars = [...text];
  let out = '';
  let column = place.column;
  let spaces = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    if (char !== ' ') {
      spaces = false;
      out += char;
      column++;
      continue;
    }
    const inside = style === 'plain' || (i > 0 && i < chars.length - 1);
    if (!spaces && column > WIDTH && inside && chars[i + 1] !== ' ') {
      out += `\n${' '.repeat(place.indent)}`;
      column = place.indent;
    } else {
      out += char;
      column++;
    }
    spaces = true;
  }
  return out;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function doubleQuoted(text: string, place: Place): string {
  const chars = [...text];
  let out = '"';
  let column = place.column + 1;
  let spaces = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    if (char === ' ' && !place.key && !spaces && column > WIDTH && i > 0 && i < chars.length - 1) {
      // An unescaped space at the start of a line would be lost.
      const escaped = chars[i + 1] === ' ' ? '\\' : '';
      out += `\n${' '.repeat(place.indent)}${escaped}`;
      column = place.indent + escaped.length;
      spaces = true;
      continue;
    }
    const written = ESCAPES.get(char) ?? (SPECIAL.test(char) ? numericEscape(char) : char);
    out += written;
    column += written === char ? 1 : written.length;
    spaces = char === ' ';
  }
  return `${out}"`;
}

function numericEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(width, '0')}`;
}
