/** Beyond this an estimate stops counting, so that a value with endlessly repeated parts costs no endless walk. */
const MAX_ESTIMATE = 64 * 1024 * 1024;

/**
 * About how many bytes a JSON-like value holds in memory, leaving out what it shares (by identity, at the same place)
 * with `other`. The work is that of the parts not shared; any depth is fine; at most 64 MiB is answered.
 */
export function estimateSize(value: unknown, other?: unknown): number {
  let bytes = 0;
  const open: unknown[] = [value, other];
  while (open.length > 0 && bytes < MAX_ESTIMATE) {
    const counterpart = open.pop();
    const part = open.pop();
    if (typeof part === 'string') {
      bytes += 16 + part.length;
    } else if (typeof part !== 'object' || part === null) {
      bytes += 8;
    } else if (part !== counterpart) {
      bytes += 32 + pushMembers(part, counterpart, open);
    }
  }
  return Math.min(bytes, MAX_ESTIMATE);
}

/** Puts each member with its counterpart on the stack; answers the bytes of the slots and names. */
function pushMembers(part: object, counterpart: unknown, open: unknown[]): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  if (Array.isArray(part)) {
    const others: readonly unknown[] = Array.isArray(counterpart) ? counterpart : [];
    for (let index = 0; index < part.length; index++) open.push(part[index], others[index]);
    return 8 * part.length;
  }
  // An inherited counterpart does no harm: it is never the same as a part of a JSON value.
  const others: object = typeof counterpart === 'object' && counterpart !== null ? counterpart : NOTHING;
  let bytes = 0;
  for (const name in part) {
    open.push(Reflect.get(part, name), Reflect.get(others, name));
    bytes += 8 + name.length;
  }
  return bytes;
}

const NOTHING = {};
