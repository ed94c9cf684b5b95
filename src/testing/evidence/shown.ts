import { isPrintable, quote } from '../../values/quote.js';
import type { RecordedRequest } from './recorded-request.js';

/** The maximum numbers of characters of a string, and of requests, that a message contains. */
const MAX_CHARACTERS = 120;
const MAX_REQUESTS = 10;

/** Formats a string for a message. It is quoted if it contains spaces or terminal control characters, and cut if it is long. */
export function printable(text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return cut !== '' && [...cut].every((char) => char !== ' ' && char !== '"' && isPrintable(char)) ? cut : quote(cut);
}

/** Returns, for a message, the name of a user, with the user agent if there is one. */
export const printUser = ({ user, userAgent }: Pick<RecordedRequest, 'user' | 'userAgent'>): string =>
  userAgent === '' ? printable(user.username) : `${printable(user.username)} (${printable(userAgent)})`;

/** Returns, for a message, the target of a request: `secrets/status shop/a`, or a path. */
export function printTarget({ resource, subresource, namespace, name, path }: RecordedRequest): string {
  if (resource === '') return printable(path);
  const what = printable(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = [namespace, name].filter((part) => part !== '').map(printable);
  return where.length === 0 ? what : `${what} ${where.join('/')}`;
}

/**
 * Returns, for a message, a line for each recorded request, with aligned columns. If there are many requests, only the last ones are
 * listed.
 */
export function printRequests(requests: readonly RecordedRequest[], indent = '  '): string {
  const last = requests.slice(-MAX_REQUESTS);
  const rows = last.map((request) => [
    `#${request.number}`,
    printable(request.verb),
    printTarget(request),
    printUser(request),
    [request.status ?? '…', request.reason].filter((part) => part !== '').join(' '),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => indent + row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  const left = requests.length - last.length;
  return [...(left > 0 ? [`${indent}… ${left} before`] : []), ...lines].join('\n');
}
