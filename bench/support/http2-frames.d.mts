export const DATA: number;
export const HEADERS: number;
export const PRIORITY: number;
export const RESET: number;
export const SETTINGS: number;
export const PING: number;
export const GOAWAY: number;
export const WINDOW_UPDATE: number;
export const CONTINUATION: number;
export const END_STREAM: number;
export const END_HEADERS: number;
/** Returns an HTTP/2 frame. */
export function frame(type: number, flags: number, stream: number, payload?: Buffer): Buffer;
/** The connection preface without its SETTINGS frame. */
export const MAGIC: Buffer;
/** The first bytes that an HTTP/2 client sends. */
export const PREFACE: Buffer;
/** Returns an integer of HPACK with a prefix of `bits` bits, in the first byte of which the upper bits are set (RFC 7541, section 5.1). */
export function hpackInteger(value: number, bits: number, above?: number): Buffer;
/** Returns a header block in which every header is a literal, with names and values in latin1. */
export function headerBlock(headers: readonly (readonly [string, string])[]): Buffer;
