import type { AuditRecord } from '../../audit/audit-record.js';
import type { AuditBatch } from '../../audit/audit-sink.js';

/** Bytes of a block; a line that may be longer has one of its own. */
const BLOCK = 256 * 1024;
/** Blocks that are kept for the next batch: memory that is asked for each time costs more than what is written to it. */
const MAX_SPARE = 8;
/** What waiting events weigh together before their bytes are made: some hundred. */
const ENOUGH = 128 * 1024;
/** A code unit has at most so many bytes of UTF-8. */
const MAX_UNIT = 3;
const ASCII = 0x80;
const NEW_LINE = 0x0a;
/** Characters up to which a loop is faster than a call of the encoder. */
const SHORT = 128;

/** Faster than the write of buffers. */
const encoder = new TextEncoder();

/** Writes blocks of whole lines; rejects where they are lost. They are in use until it resolves. */
export type WriteBlocks = (blocks: readonly Uint8Array[]) => Promise<void>;

/** How the line of an event is made: in pieces without an end of line, of which some come again in other lines. */
export interface LineForm {
  pieces(record: AuditRecord): readonly string[];
  /** By the places of the pieces. */
  readonly comesAgain: readonly boolean[];
}

/** Gathers lines as bytes. Lines that wait as texts would outlive collections of garbage, which costs more than all else about them. */
export class LineGatherer {
  readonly #form: LineForm;
  readonly #write: WriteBlocks;
  readonly #spare: Buffer[] = [];

  constructor(form: LineForm, write: WriteBlocks) {
    this.#form = form;
    this.#write = write;
  }

  open(): AuditBatch {
    const takeBlock = () => this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    return new LineBatch(this.#form, takeBlock, async (blocks, own) => {
      try {
        await this.#write(blocks);
      } finally {
        for (const block of own) if (this.#spare.length < MAX_SPARE) this.#spare.push(block);
      }
    });
  }
}

class LineBatch implements AuditBatch {
  readonly #form: LineForm;
  readonly #takeBlock: () => Buffer;
  readonly #writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>;
  /** What is complete. */
  readonly #blocks: Uint8Array[] = [];
  readonly #own: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  /** Events whose bytes are made one after the other: between the steps of their requests each would cost several times as much. */
  #waiting: AuditRecord[] = [];
  #weight = 0;

  constructor(
    form: LineForm,
    takeBlock: () => Buffer,
    writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>,
  ) {
    this.#form = form;
    this.#takeBlock = takeBlock;
    this.#writeAll = writeAll;
  }

  add(record: AuditRecord): void {
    this.#waiting.push(record);
    this.#weight += record.weight;
    if (this.#weight >= ENOUGH) this.#encodeAll();
  }

  write(): Promise<void> {
    this.#encodeAll();
    this.#endBlock();
    return this.#writeAll(this.#blocks, this.#own);
  }

  #encodeAll(): void {
    for (const record of this.#waiting) this.#encode(this.#form.pieces(record));
    this.#waiting = [];
    this.#weight = 0;
  }

  #encode(pieces: readonly string[]): void {
    let length = 1;
    for (const piece of pieces) length += piece.length;
    if (length * MAX_UNIT > BLOCK) {
      this.#endBlock();
      this.#blocks.push(Buffer.from(`${pieces.join('')}\n`));
      return;
    }
    if (!this.#block || this.#filled + length * MAX_UNIT > BLOCK) {
      this.#endBlock();
      this.#block = this.#takeBlock();
      this.#own.push(this.#block);
    }
    const { comesAgain } = this.#form;
    let at = this.#filled;
    for (let i = 0; i < pieces.length; i++) at = put(this.#block, at, pieces[i] ?? '', comesAgain[i] === true);
    this.#block[at++] = NEW_LINE;
    this.#filled = at;
  }

  #endBlock(): void {
    if (this.#block) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}

/** Pieces that come again. */
const known = new Map<string, Uint8Array>();
const MAX_KNOWN = 256;
const MAX_PIECE = 2048;

/** Writes a piece at a place; returns the place behind it. */
function put(block: Buffer, at: number, piece: string, comesAgain: boolean): number {
  if (comesAgain && piece.length <= MAX_PIECE) {
    let bytes = known.get(piece);
    if (bytes === undefined) {
      bytes = encoder.encode(piece);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(piece, bytes);
    }
    block.set(bytes, at);
    return at + bytes.length;
  }
  if (piece.length > SHORT) return at + encoder.encodeInto(piece, block.subarray(at)).written;
  for (let i = 0; i < piece.length; i++) {
    const unit = piece.charCodeAt(i);
    if (unit >= ASCII) return at + encoder.encodeInto(piece, block.subarray(at)).written;
    block[at + i] = unit;
  }
  return at + piece.length;
}
