import { DecodeError } from '../json/decode-error.js';
import { namesOf } from '../json/members.js';
import { jsonTypeName } from '../json/number-text.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import { decodeUtf8 } from '../values/utf8.js';
import { type ApiError, apiError, quotingContent, REDACTED } from './api-error.js';
import { parseGroupVersion } from './group-version.js';

/** The `apiVersion` and `kind` of a body. Each is '' if the body does not have it. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The Go struct into which upstream first decodes a body, as messages print it. */
const TYPE_META_STRUCT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const SNIPPET_BYTES = 30;

/**
 * Reads `apiVersion` and `kind` of a decoded body. Their names match in any case, and the last match counts.
 * @throws DecodeError if the body is neither an object nor null, if one of the two is not a string, or if apiVersion is not a group and
 * version
 */
export function readTypeMeta(value: JsonValue): TypeMeta {
  if (value === null) return { apiVersion: '', kind: '' };
  if (!isJsonObject(value))
    throw noTypeMeta(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${TYPE_META_STRUCT}`);
  const typeMeta = { apiVersion: '', kind: '' };
  for (const name of namesOf(value)) {
    const lower = name.length === 10 || name.length === 4 ? name.toLowerCase() : '';
    const field = lower === 'apiversion' ? 'apiVersion' : lower === 'kind' ? 'kind' : undefined;
    if (field === undefined) continue;
    const member = value[name];
    if (typeof member === 'string') typeMeta[field] = member;
    else if (member !== null && member !== undefined)
      throw noTypeMeta(`json: cannot unmarshal ${jsonTypeName(member)} into Go struct field .${field} of type string`);
  }
  if (parseGroupVersion(typeMeta.apiVersion) === undefined)
    throw new DecodeError(`unexpected GroupVersion string: ${typeMeta.apiVersion}`);
  return typeMeta;
}

/** Returns the error for a JSON document that does not parse, or that has no readable apiVersion and kind. */
export function noTypeMeta(problem: string): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${problem}`);
}

/**
 * Returns the 400 for a body whose type cannot be determined (spec 9.6).
 * @param kind the kind that the route expects
 * @param problem the error message
 * @param body the bytes as sent; the message quotes the first 30
 * @param redacted the error message without content of the body. Default: `problem` contains no content.
 */
export function unrecognized(kind: string, problem: string, body: Uint8Array, redacted = problem): ApiError {
  const refusal = (why: string, start: string) =>
    apiError.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${start})`);
  return quotingContent(refusal(problem, snippet(body)), refusal(redacted, REDACTED));
}

/** Returns the beginning of a body for messages: as text if the body looks like JSON, else in hexadecimal. */
function snippet(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, SNIPPET_BYTES);
  const shown =
    body[0] === 0x7b ? decodeUtf8(start) : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > SNIPPET_BYTES ? `${shown} ...` : shown;
}
