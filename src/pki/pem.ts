import { decodeBase64, encodeBase64 } from '../values/base64.js';

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** The word after BEGIN, such as `CERTIFICATE`. */
  readonly label: string;
  /** The lines `Name: value` before the data; usually there are none. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';

/** Returns a line without its line break and without trailing blanks, and the position of the next line. */
function lineAt(text: string, from: number): { line: string; next: number } {
  const newline = text.indexOf('\n', from);
  let end = newline < 0 ? text.length : newline;
  if (newline > from && text[end - 1] === '\r') end--;
  while (end > from && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return { line: text.slice(from, end), next: newline < 0 ? text.length : newline + 1 };
}

/** Returns the position of the next BEGIN line, which may be `at` itself; -1 if there is none. */
function findBegin(text: string, at: number): number {
  if (text.startsWith(BEGIN, at)) return at;
  const newline = text.indexOf(`\n${BEGIN}`, at);
  return newline < 0 ? -1 : newline + 1;
}

function decodeBody(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = text.replace(/[ \t\r\n]+/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return decodeBase64(compact);
}

/**
 * Returns all blocks of a text, in order. Text around blocks is ignored, and so are damaged blocks, as in Go. The time is proportional to
 * the length of the text.
 */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let end = -1;
  let at = 0;
  for (let begin = findBegin(text, 0); begin >= 0; begin = findBegin(text, at)) {
    const typeLine = lineAt(text, begin + BEGIN.length);
    at = typeLine.next;
    if (!typeLine.line.endsWith(DASHES)) continue;
    const label = typeLine.line.slice(0, -DASHES.length);

    const headers = new Map<string, string>();
    for (let { line, next } = lineAt(text, at); at < text.length; { line, next } = lineAt(text, at)) {
      const colon = line.indexOf(':');
      if (colon < 0) break;
      headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
      at = next;
    }

    // Without headers, the END line may follow the BEGIN line immediately. In that case, the line break before END is the character before
    // `at`.
    const from = headers.size === 0 ? at - 1 : at;
    // Several broken blocks can share the next END line, so the search for it is not repeated.
    if (end < from) end = text.indexOf(END, from);
    if (end < 0) break;
    // Base64 has no dash, so the first dash after the data must be the first dash of END. This check also keeps broken input from being
    // scanned twice.
    if (text.indexOf('-', at) !== end + 1) continue;
    const endLine = lineAt(text, end + END.length);
    if (endLine.line !== `${label}${DASHES}`) continue;
    const bytes = decodeBody(text.slice(at, Math.max(at, end)));
    if (bytes === undefined) continue;
    blocks.push({ label, headers, bytes });
    at = endLine.next;
  }
  return blocks;
}

/** Returns one block as text, with 64 characters in a line and a line break at the end. */
export function encodePem(label: string, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`${BEGIN}${label}${DASHES}`, ...lines, `-----END ${label}${DASHES}`, ''].join('\n');
}
