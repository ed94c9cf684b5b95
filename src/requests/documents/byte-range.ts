/** A part of a document, or the reason why it cannot be sent. */
export type ByteRange =
  | { readonly start: number; readonly length: number; readonly problem?: never }
  | { readonly problem: string; readonly isBeyond: boolean };

const NUMBER = /^\d{1,15}$/;

/**
 * Returns the part that a `Range` header asks for (RFC 9110, section 14.2), or undefined for the whole document: without a header, or if it
 * asks for several parts, which a server need not support.
 * @param size of the document, in bytes
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined || header === '') return undefined;
  if (!header.startsWith('bytes=')) return INVALID;
  const specs = header
    .slice('bytes='.length)
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  const ranges = specs.map((spec) => readRange(spec, size));
  if (ranges.includes(INVALID)) return INVALID;
  const within = ranges.filter((range) => range !== BEYOND);
  if (within.length === 0) return ranges.length > 0 && size > 0 ? BEYOND : undefined;
  return within.length === 1 ? within[0] : undefined;
}

const INVALID: ByteRange = { problem: 'invalid range', isBeyond: false };
const BEYOND: ByteRange = { problem: 'invalid range: failed to overlap', isBeyond: true };

/** Parses `1-2`, `1-`, or `-2`, which means the last two bytes. */
function readRange(spec: string, size: number): ByteRange {
  const dash = spec.indexOf('-');
  if (dash < 0) return INVALID;
  const [first, last] = [spec.slice(0, dash).trim(), spec.slice(dash + 1).trim()];
  if (first === '') {
    if (!NUMBER.test(last)) return INVALID;
    const length = Math.min(Number(last), size);
    return { start: size - length, length };
  }
  if (!NUMBER.test(first)) return INVALID;
  const start = Number(first);
  if (start >= size) return BEYOND;
  if (last === '') return { start, length: size - start };
  if (!NUMBER.test(last) || Number(last) < start) return INVALID;
  return { start, length: Math.min(Number(last), size - 1) - start + 1 };
}
