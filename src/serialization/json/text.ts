import { decodeUtf8 } from '../../values/utf8.js';

/** Decodes a JSON document to a string; invalid UTF-8 and lone surrogate escapes are replaced by U+FFFD. */
export function decodeJsonText(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  return text.includes('\\') && /\\u[dD][89a-fA-F]/.test(text) ? replaceLoneSurrogates(text) : text;
}

const SURROGATE_ESCAPES =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;

function replaceLoneSurrogates(text: string): string {
  return text.replace(SURROGATE_ESCAPES, (found) => (found.length === 6 ? '\\ufffd' : found));
}
