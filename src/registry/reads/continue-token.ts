import { jsonTypeName } from '../../json/number-text.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { parseJson } from '../../serialization/json/decode.js';
import { decodeBase64Url, encodeBase64Url } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';

/** The position where the next page of a list begins (spec 4.6). */
export interface ContinueToken {
  /** The revision of the first page. A negative revision means the newest state. */
  readonly revision: number;
  /** First key of the next page, relative to the collection's prefix. */
  readonly start: string;
}

/** The Go types of the members of a token. */
const TYPES: ReadonlyMap<string, 'string' | 'int64'> = new Map([
  ['v', 'string'],
  ['rv', 'int64'],
  ['start', 'string'],
]);
const versionOf = (dialect: Dialect) => `${groupOf(dialect, 'meta')}/v1`;

/** Encodes a token: a small JSON document in base64url without padding. */
export function encodeContinueToken(dialect: Dialect, { revision, start }: ContinueToken): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ v: versionOf(dialect), rv: revision, start }));
  return encodeBase64Url(bytes);
}

/**
 * Decodes a token.
 * @throws ApiError 400 with upstream's message, which contains the reason.
 */
export function decodeContinueToken(dialect: Dialect, token: string): ContinueToken {
  const refuse = (why: string) => apiError.badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const bytes = decodeBase64Url(token);
  if (bytes === undefined) {
    const bad = token.search(/[^A-Za-z0-9_-]/);
    throw refuse(`illegal base64 data at input byte ${bad < 0 ? token.length - 1 : bad}`);
  }
  let value: JsonValue;
  try {
    ({ value } = parseJson(bytes));
  } catch (error) {
    throw refuse(messageOf(error));
  }
  if (value !== null && !isJsonObject(value))
    throw refuse(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type storage.continueToken`);
  const problem = typeProblem(value ?? {});
  if (problem !== undefined) throw refuse(problem);
  // `typeProblem` has checked the types, so the cast is safe.
  const { v, rv, start } = (value ?? {}) as { v?: string | null; rv?: number | null; start?: string | null };
  if (v !== versionOf(dialect)) throw refuse(`server does not recognize this encoded version ${v ?? ''}`);
  if (!rv || !Number.isSafeInteger(rv)) throw refuse(`incorrect encoded start resourceVersion (version ${v})`);
  if (!start) throw refuse(`encoded start key empty (version ${v})`);
  const relative = start.startsWith('/') ? start.slice(1) : start;
  if (relative.split('/').some((part) => part === '' || part === '.' || part === '..')) throw refuse(start);
  return { revision: rv, start: relative };
}

const isInt64 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63;

/** Returns why a member has a wrong type, in the words of Go's decoder, which names the first such member. */
function typeProblem(token: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(token)) {
    const type = TYPES.get(name);
    if (type === undefined || value === null) continue;
    if (type === 'string' ? typeof value === 'string' : isInt64(value)) continue;
    const found = typeof value === 'number' && type === 'int64' ? `number ${value}` : jsonTypeName(value);
    return `json: cannot unmarshal ${found} into Go struct field continueToken.${name} of type ${type}`;
  }
  return undefined;
}

/** Returns a key just before `start`, because the store reads strictly after a given key. */
export function keyBefore(start: string): string {
  if (start.endsWith('\0')) return start.slice(0, -1);
  const last = start.charCodeAt(start.length - 1);
  return `${start.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`;
}
