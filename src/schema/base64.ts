/**
 * Standard base64 in its one proper form: without the line breaks and stray last bits that reading tolerates.
 * @returns the text, or the position of the first byte that does not belong
 */
export function canonicalBase64(text: string): string | number {
  let quantum = 0;
  let breaks = false;
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) quantum = (quantum + 1) & 3;
    else if (isBreak(code)) breaks = true;
    else {
      const bad = badPadding(text, i, quantum);
      return bad === undefined ? tidy(text, breaks) : bad;
    }
  }
  // A quantum that is not full needs padding; the error is where the quantum began.
  if (quantum > 0) return length - quantum;
  return breaks ? tidy(text, true) : text;
}

/** The first misplaced byte of what follows the digits, or undefined where it is proper padding to the end. */
function badPadding(text: string, at: number, quantum: number): number | undefined {
  if (text[at] !== '=' || quantum < 2) return at;
  let i = at + 1;
  if (quantum === 2) {
    while (isBreak(text.charCodeAt(i))) i++;
    if (i === text.length) return i;
    if (text[i] !== '=') return i - 1;
    i++;
  }
  while (isBreak(text.charCodeAt(i))) i++;
  return i < text.length ? i : undefined;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function tidy(text: string, breaks: boolean): string {
  const plain = breaks ? text.replace(/[\r\n]/g, '') : text;
  const padding = plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0;
  if (padding === 0) return plain;
  const at = plain.length - padding - 1;
  const last = DIGITS.indexOf(plain.charAt(at));
  // The last digit holds 4 (==) or 2 (=) bits that mean nothing.
  const clean = last & (padding === 2 ? 0x30 : 0x3c);
  return clean === last ? plain : `${plain.slice(0, at)}${DIGITS.charAt(clean)}${'='.repeat(padding)}`;
}

const isBreak = (code: number) => code === 10 || code === 13;
const isDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

/** Bytes as base64 text. */
export function encodeBase64(bytes: readonly number[]): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
