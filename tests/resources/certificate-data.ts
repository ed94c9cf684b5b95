import { hasSharedData, readShared } from '../support/shared-data.js';

/** Returns a part of a shared file in which names of texts (`$csrPEM`) are replaced by the texts, and lists of pieces are joined. */
export function cases<T>(file: string, part: string): readonly T[] {
  return (read(file, part) ?? []) as readonly T[];
}

/** Returns the cases of a part that has further members. */
export function casesOf<T>(file: string, part: string): readonly T[] {
  return (read(file, part) as { readonly cases: readonly T[] } | undefined)?.cases ?? [];
}

function read(file: string, part: string): unknown {
  if (!hasSharedData) return undefined;
  const document = readShared(`data/csr-ctb/${file}`) as Record<string, unknown> & {
    blobs?: Record<string, string>;
  };
  return fill(document[part], document.blobs ?? {});
}

function fill(value: unknown, blobs: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? (blobs[value.slice(1)] ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => fill(item, blobs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'trustBundle' ? (fill(item, blobs) as string[]).join('') : fill(item, blobs),
    ]),
  );
}

/** An expected error, complete or as its message. */
export type Expected = string | { readonly type: string; readonly field: string; readonly detail?: string };

/** Returns whether an error is the expected one, by its message, or by type, path and detail. */
export function describeExpected(expected: Expected): object | string {
  if (typeof expected === 'string') return expected;
  // The data has an older wording for lengths.
  const told = expected.detail !== undefined && expected.type !== 'TooLong';
  return { type: expected.type, path: expected.field, ...(told ? { detail: expected.detail } : {}) };
}
