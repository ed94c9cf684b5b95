import { utf8Length } from '../values/utf8.js';

/** Longest name of a manager, in bytes. */
const MAX_MANAGER_NAME = 128;

/**
 * Returns the name of a manager (spec 6.2): the `fieldManager` parameter, else the part of the User-Agent before its first `/`, without
 * unprintable characters and cut to 128 bytes, else `unknown`.
 */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  return fieldManager || agentName(userAgent ?? '') || 'unknown';
}

// Matches almost all names, which need no removal of unprintable characters.
const PLAIN = /^[ -~]*$/;

function agentName(userAgent: string): string {
  const product = userAgent.split('/', 1)[0] ?? '';
  if (PLAIN.test(product)) return product.slice(0, MAX_MANAGER_NAME);
  let name = '';
  let bytes = 0;
  for (const char of product) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)) continue;
    bytes += utf8Length(char);
    if (bytes > MAX_MANAGER_NAME) break;
    name += char;
  }
  return name;
}
