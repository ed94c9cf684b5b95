/** The two parts of an e-mail address. */
export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

const ATOM = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/;
const QUOTED_TEXT = /[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f]/;
const AFTER_BACKSLASH = /[\x01-\x09\x0b\x0c\x0e-\x7f]/;

/**
 * Reads an e-mail address of RFC 2821: the local part ends at the first @ that is not quoted. The caller must check that the part after it
 * is a domain. Returns undefined for a string that is not an e-mail address.
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const quoted = text.startsWith('"');
  let local = '';
  let at = quoted ? 1 : 0;
  for (; at < text.length; at++) {
    let char = text.charAt(at);
    if (char === '\\') {
      char = text.charAt(++at);
      if (!AFTER_BACKSLASH.test(char)) return undefined;
    } else if (!(quoted ? QUOTED_TEXT : ATOM).test(char)) break;
    local += char;
  }
  if (quoted && text[at++] !== '"') return undefined;
  if (text[at] !== '@') return undefined;
  const dots = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  if (!quoted && (local === '' || dots)) return undefined;
  return { local, domain: text.slice(at + 1) };
}
