import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import type { ServedForm } from '../served/served-form.js';

/** The largest request that the real server's storage accepts, in bytes (spec 18.1). */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024;
/** The largest request that the real server's storage client sends, in bytes. Above it the client refuses with a message of its own. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

/**
 * Returns the object in its stored form. The size is checked before and after a conversion, which may make the object larger.
 * @throws ApiError as {@link withinStoredSize}, and what the conversion throws.
 */
export function toStorable(
  { toStorage }: ServedForm,
  object: ApiObject,
  keepsOwners: boolean,
  dialect: Dialect,
): ApiObject | Promise<ApiObject> {
  const fitting = (each: ApiObject) => withinStoredSize(each, keepsOwners, dialect);
  const stored = toStorage(fitting(object));
  return stored instanceof Promise ? stored.then(fitting) : stored;
}

/**
 * Returns the object, without managedFields if it is too large with them (spec 18.1).
 * @param keepsOwners whether managedFields must stay because the write is an apply
 * @throws ApiError for an object that is too large even so; the dialect decides the status (spec 19.20).
 */
function withinStoredSize(object: ApiObject, keepsOwners: boolean, dialect: Dialect): ApiObject {
  if (sizeOf(object, MAX_STORED_BYTES) <= MAX_STORED_BYTES) return object;
  const bare = keepsOwners ? object : withMetadata(object, { managedFields: undefined });
  const size = sizeOf(bare, Number.POSITIVE_INFINITY);
  if (size <= MAX_STORED_BYTES) return bare;
  throw apiError.clientFault(
    dialect,
    size <= MAX_SENT_BYTES
      ? 'etcdserver: request is too large'
      : `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${MAX_SENT_BYTES})`,
  );
}

/** Returns whether an object is too large to be stored even without managedFields. */
export function isTooLarge(object: ApiObject): boolean {
  return sizeOf(withMetadata(object, { managedFields: undefined }), MAX_STORED_BYTES) > MAX_STORED_BYTES;
}

/** Estimates the length of a value's JSON, without escapes. Counting stops above the bound. Any depth is fine. */
function sizeOf(value: object, bound: number): number {
  let size = 0;
  const open: object[] = [value];
  const count = (member: unknown): void => {
    if (typeof member === 'string') size += member.length + 3;
    else if (typeof member === 'object' && member !== null) open.push(member);
    else size += 5;
  };
  while (size <= bound) {
    const part = open.pop();
    if (part === undefined) break;
    size += 3;
    if (Array.isArray(part)) for (const member of part) count(member);
    else
      for (const name in part) {
        size += name.length + 3;
        count(Reflect.get(part, name));
      }
  }
  return size;
}
