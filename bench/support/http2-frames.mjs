/* Types and flags of frames (RFC 9113, section 6). */
export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RESET = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;

/** Returns an HTTP/2 frame. */
export function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const MAGIC = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** The first bytes that an HTTP/2 client sends. */
export const PREFACE = Buffer.concat([MAGIC, frame(4, 0, 0)]);

/** Returns an integer of HPACK with a prefix of `bits` bits, in the first byte of which the upper bits are set (RFC 7541, section 5.1). */
export function hpackInteger(value, bits, above = 0) {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([above | value]);
  const bytes = [above | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** Returns a header block in which every header is a literal, with names and values in latin1. */
export function headerBlock(headers) {
  const text = (value) => {
    const bytes = Buffer.from(value, 'latin1');
    return Buffer.concat([hpackInteger(bytes.length, 7), bytes]);
  };
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}
