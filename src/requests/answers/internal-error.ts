import { quote } from '../../values/quote.js';
import type { Exchange } from '../exchange.js';
import { type Result, textResult } from '../result.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns the plain-text response with status 500 for a failure before a handler was found (spec 8.8). */
export function internalErrorResult({ request }: Exchange, message: string): Result {
  const { path, query } = request;
  const text = `Internal Server Error: ${quote(query === '' ? path : `${path}?${query}`)}: ${message}\n`;
  return textResult(
    500,
    text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char),
  );
}
