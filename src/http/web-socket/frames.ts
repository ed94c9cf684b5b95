/** What a frame is (RFC 6455, 5.2). */
export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const FINAL = 0x80;
const MASKED = 0x80;
/** Lengths from here on take two or eight bytes more. */
const [SHORT, TWO_BYTES, EIGHT_BYTES] = [126, 126, 127];
const MAX_TWO_BYTES = 0xffff;
/** Frames that control the connection have no more payload. */
const MAX_CONTROL = 125;

/** A whole message as a server sends it: one frame, not masked. */
export function encodeFrame(opcode: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const size = length < SHORT ? 0 : length <= MAX_TWO_BYTES ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + size + length);
  frame[0] = FINAL | opcode;
  frame[1] = size === 0 ? length : size === 2 ? TWO_BYTES : EIGHT_BYTES;
  if (size === 2) frame.writeUInt16BE(length, 2);
  else if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, 2 + size);
  return frame;
}

/** Called with each frame of control: close, ping and pong. */
export type OnControl = (opcode: number, payload: Uint8Array) => void;

/**
 * Reads what a client sends: frames of data are dropped as they come, those of control are passed on. Holds no more than the head and the
 * payload of one of the latter.
 */
export class ClientFrames {
  readonly #onControl: OnControl;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes of data that are still to be dropped. */
  #dropping = 0n;

  constructor(onControl: OnControl) {
    this.#onControl = onControl;
  }

  /** False when the client breaks the protocol. */
  add(chunk: Uint8Array): boolean {
    this.#held = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk]);
    for (;;) {
      this.#drop();
      const frame = this.#next();
      if (frame !== true) return frame === undefined;
    }
  }

  #drop(): void {
    const { length } = this.#held;
    const dropped = this.#dropping < BigInt(length) ? Number(this.#dropping) : length;
    this.#held = this.#held.subarray(dropped);
    this.#dropping -= BigInt(dropped);
  }

  /** Takes one frame's head, and its payload where it is one of control: undefined when it has not come yet. */
  #next(): true | false | undefined {
    const held = this.#held;
    const [first, second] = held;
    if (this.#dropping > 0n || first === undefined || second === undefined) return undefined;
    // A client masks what it sends.
    if ((second & MASKED) === 0) return false;
    const short = second & ~MASKED;
    const size = short === TWO_BYTES ? 2 : short === EIGHT_BYTES ? 8 : 0;
    const head = 2 + size + 4;
    if (held.length < head) return undefined;
    const length = size === 0 ? BigInt(short) : size === 2 ? BigInt(held.readUInt16BE(2)) : held.readBigUInt64BE(2);
    const opcode = first & 0x0f;
    if (opcode < OPCODE.close) {
      this.#held = held.subarray(head);
      this.#dropping = length;
      return true;
    }
    if (length > BigInt(MAX_CONTROL)) return false;
    const end = head + Number(length);
    if (held.length < end) return undefined;
    const mask = held.subarray(head - 4, head);
    this.#onControl(
      opcode,
      held.subarray(head, end).map((byte, i) => byte ^ (mask[i % 4] ?? 0)),
    );
    this.#held = held.subarray(end);
    return true;
  }
}
