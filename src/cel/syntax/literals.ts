import { Double, INT_MAX, INT_MIN, type Int, toInt64, toUint64, type Uint } from '../values/numbers.js';

/** Parses an int literal with its sign; undefined outside of int64. */
export function readInt(text: string, negative: boolean): Int | undefined {
  if (text.length > 18) return toInt64(negative ? -bigintOf(text) : bigintOf(text));
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return toInt64(negative ? -bigintOf(text) : bigintOf(text));
  return negative && value !== 0 ? -value : value;
}

/** Parses a uint literal with its suffix; undefined outside of uint64. */
export function readUint(text: string): Uint | undefined {
  return toUint64(bigintOf(text.slice(0, -1)));
}

/** Parses a double literal; undefined outside of the range of doubles. */
export function readDouble(text: string): Double | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? new Double(value) : undefined;
}

function bigintOf(text: string): bigint {
  // Numbers with more digits than 64 bits allow are out of range anyway, and parsing all their digits would take quadratic time.
  const digits = text.startsWith('0x') ? text.slice(2).replace(/^0+/, '') : text.replace(/^0+/, '');
  if (digits.length > 20) return INT_MAX - INT_MIN + 1n;
  return BigInt(text.startsWith('0x') ? `0x${digits || '0'}` : digits || '0');
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '"': 34,
  "'": 39,
  '\\': 92,
  '?': 63,
  '`': 96,
};

/** Returns the string that a string token denotes, or the error in its escapes. */
export function readString(token: string): { text: string } | { error: string } {
  const { body, raw } = unquote(token);
  if (raw || !body.includes('\\')) return { text: body };
  const parts: string[] = [];
  let at = 0;
  while (at < body.length) {
    const slash = body.indexOf('\\', at);
    if (slash < 0) break;
    parts.push(body.slice(at, slash));
    const { code, end } = readEscape(body, slash + 1);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { error: 'invalid unicode code point' };
    parts.push(String.fromCodePoint(code));
    at = end;
  }
  parts.push(body.slice(at));
  return { text: parts.join('') };
}

/** Returns the bytes that a bytes token denotes, or the error in its escapes. */
export function readBytes(token: string): { bytes: Uint8Array } | { error: string } {
  const { body, raw } = unquote(token.slice(1));
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return { bytes: encoder.encode(body) };
  const out: number[] = [];
  for (let at = 0; at < body.length; ) {
    if (body[at] !== '\\') {
      const slash = body.indexOf('\\', at);
      const end = slash < 0 ? body.length : slash;
      for (const byte of encoder.encode(body.slice(at, end))) out.push(byte);
      at = end;
      continue;
    }
    if (/[uU]/.test(body.charAt(at + 1))) return { error: 'unable to unescape string' };
    const { code, end } = readEscape(body, at + 1);
    out.push(code);
    at = end;
  }
  return { bytes: Uint8Array.from(out) };
}

function unquote(token: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replace(/\r\n?/g, '\n');
  const quotes = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(quotes, -quotes), raw };
}

/** Reads one escape, which the lexer found well-formed; `at` is the position after the backslash. */
function readEscape(body: string, at: number): { code: number; end: number } {
  const letter = body.charAt(at);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { code: simple, end: at + 1 };
  if (/[0-3]/.test(letter)) return { code: Number.parseInt(body.slice(at, at + 3), 8), end: at + 3 };
  const length = letter === 'U' ? 8 : letter === 'u' ? 4 : 2;
  return { code: Number.parseInt(body.slice(at + 1, at + 1 + length), 16), end: at + 1 + length };
}
