/** Returns the 4 bytes of a dotted IPv4 address without leading zeros. */
function parseIpv4(text: string): Uint8Array | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte < 256) ? new Uint8Array(bytes) : undefined;
}

/** Returns the 16-bit groups on one side of `::`. If the side ends the address, its last part may be an IPv4 address. */
function parseGroups(text: string, endsAddress: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const v4 = endsAddress && i === parts.length - 1 ? parseIpv4(part) : undefined;
    if (v4) groups.push(((v4[0] ?? 0) << 8) | (v4[1] ?? 0), ((v4[2] ?? 0) << 8) | (v4[3] ?? 0));
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/**
 * Returns the 4 bytes of an IPv4 address or the 16 bytes of an IPv6 address; undefined for any other string. Addresses with a zone are
 * refused.
 */
export function parseIp(text: string): Uint8Array | undefined {
  if (text.length > 45) return undefined;
  if (!text.includes(':')) return parseIpv4(text);
  const [left = '', right, ...more] = text.split('::');
  const head = parseGroups(left, right === undefined);
  const tail = parseGroups(right ?? '', true);
  if (!head || !tail || more.length > 0) return undefined;
  // `::` replaces at least one group, so it may not occur in addition to eight groups.
  const missing = 8 - head.length - tail.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return new Uint8Array(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Formats an address in its usual short form: `10.0.0.1`, `2001:db8::1`. */
export function formatIp(bytes: Uint8Array): string {
  if (bytes.length !== 16) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  const zeros = [...groups.join(':').matchAll(/(?:^|(?<=:))0(?::0)+(?![^:])/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (!zeros) return groups.join(':');
  const text = groups.join(':');
  return `${text.slice(0, zeros.index).replace(/:$/, '')}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, '')}`;
}

/** Returns the 4 bytes of an IPv4-mapped IPv6 address, and all other addresses unchanged. */
export function withoutWrapping(bytes: Uint8Array): Uint8Array {
  const isWrapped =
    bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isWrapped ? bytes.subarray(12) : bytes;
}
