/** Matches strings that need no escapes. Nearly all strings are of this form. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns a string in double quotes with the escapes of Go's `strconv.Quote` (`\n`, `\"`, `\x00`, `\u00ad`). */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '"' || char === '\\') out += `\\${char}`;
    else if (char === '\n') out += '\\n';
    else if (char === '\t') out += '\\t';
    else if (char === '\r') out += '\\r';
    else if (char === '\u0007') out += '\\a';
    else if (char === '\b') out += '\\b';
    else if (char === '\f') out += '\\f';
    else if (char === '\v') out += '\\v';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (!isPrintable(char))
      out += code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    else out += char;
  }
  return `${out}"`;
}

/** Returns whether Go prints a character without an escape. The ASCII space is printed as it is, all other spaces are escaped. */
export const isPrintable = (char: string): boolean =>
  char === ' ' || !(/^\p{C}|\p{Zl}|\p{Zp}$/u.test(char) || /^\p{Zs}$/u.test(char));
