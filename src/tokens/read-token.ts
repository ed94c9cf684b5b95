import { decodeBase64Url } from '../values/base64.js';

/** The header and the claims of a token. Its signature has not been checked. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a compact token without verifying it: three parts, of which the first two are JSON objects. Returns undefined for any other string.
 */
export function readToken(token: string): UnverifiedToken | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const header = readPart(parts[0]);
  const claims = readPart(parts[1]);
  return header && claims && { header, claims };
}

function readPart(text = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = decodeBase64Url(text);
    const value: unknown = bytes && JSON.parse(decoder.decode(bytes));
    // A value that is an object but not an array is a JSON object, so the cast is safe.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
