/** The leading bytes of UTF-8 sequences: which bits they have, how long the sequence is, and the smallest character that needs this length. */
const SEQUENCES = [
  { mask: 0x80, bits: 0x00, width: 1, least: 0 },
  { mask: 0xe0, bits: 0xc0, width: 2, least: 0x80 },
  { mask: 0xf0, bits: 0xe0, width: 3, least: 0x800 },
  { mask: 0xf8, bits: 0xf0, width: 4, least: 0x10000 },
] as const;

/**
 * Returns upstream's message for the first byte sequence that YAML 1.1 does not allow: one that is not UTF-8, or a control character.
 * Undefined if there is none (spec 9.7).
 */
export function readerFault(bytes: Uint8Array): string | undefined {
  let at = 0;
  while (at < bytes.length) {
    const octet = bytes[at] ?? 0;
    const sequence = SEQUENCES.find(({ mask, bits }) => (octet & mask) === bits);
    if (sequence === undefined) return 'invalid leading UTF-8 octet';
    const { mask, width, least } = sequence;
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    let character = octet & ~mask & 0xff;
    for (const next of bytes.subarray(at + 1, at + width)) {
      if ((next & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
      character = (character << 6) | (next & 0x3f);
    }
    if (character < least) return 'invalid length of a UTF-8 sequence';
    if ((character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff) return 'invalid Unicode character';
    if (!isAllowed(character)) return 'control characters are not allowed';
    at += width;
  }
  return undefined;
}

const isAllowed = (character: number): boolean =>
  (character >= 0x20 && character <= 0x7e) ||
  character === 0x09 ||
  character === 0x0a ||
  character === 0x0d ||
  character === 0x85 ||
  (character >= 0xa0 && character <= 0xfffd) ||
  character >= 0x10000;
