import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import type { ServedForm } from '../served/served-form.js';

/** What the real server's storage takes at once, in bytes (spec 18.1). */
const MAX_STORED_BYTES = 1.5 * 1024 * 1024;
/** What its client sends to the storage at most; beyond, it is the client that refuses, in its own words. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

/**
 * The object in the form that is stored, within the size that may be: who converts it does not make it larger than that.
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
 * The object as it may be stored: what is too large with the records of who owns its fields is stored without them (spec 18.1).
 * @param keepsOwners whether the records are what the write is about (apply)
 * @throws ApiError for what is too large even so; the dialect decides the status (spec 19.20).
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

/** Whether an object is too large to be stored, whoever owns its fields. */
export function isTooLarge(object: ApiObject): boolean {
  return sizeOf(withMetadata(object, { managedFields: undefined }), MAX_STORED_BYTES) > MAX_STORED_BYTES;
}

/** How long the JSON of a value is, about: nothing is escaped. Counting ends beyond the bound. Any depth is fine. */
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
