import type { AuditRecord } from '../../audit/audit-record.js';
import type { AuditBatch } from '../../audit/audit-sink.js';

/** Bytes of a block; a line that may be longer has one of its own. */
const BLOCK = 256 * 1024;
/** Blocks that are kept for the next batch: memory that is asked for each time costs more than what is written to it. */
const MAX_SPARE = 8;
/** Characters that are encoded at once. */
const STRETCH = 8 * 1024;
/** A code unit has at most so many bytes of UTF-8. */
const MAX_UNIT = 3;

/** Faster than the write of buffers. */
const encoder = new TextEncoder();

/** Writes blocks of whole lines; rejects where they are lost. They are in use until it resolves. */
export type WriteBlocks = (blocks: readonly Uint8Array[]) => Promise<void>;

/** Gathers lines as bytes. Lines that wait as texts would outlive collections of garbage, which costs more than all else about them. */
export class LineGatherer {
  readonly #lineOf: (record: AuditRecord) => string;
  readonly #write: WriteBlocks;
  readonly #spare: Buffer[] = [];

  /** @param lineOf without an end of line */
  constructor(lineOf: (record: AuditRecord) => string, write: WriteBlocks) {
    this.#lineOf = lineOf;
    this.#write = write;
  }

  open(): AuditBatch {
    const takeBlock = () => this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    return new LineBatch(this.#lineOf, takeBlock, async (blocks, own) => {
      try {
        await this.#write(blocks);
      } finally {
        for (const block of own) if (this.#spare.length < MAX_SPARE) this.#spare.push(block);
      }
    });
  }
}

class LineBatch implements AuditBatch {
  readonly #lineOf: (record: AuditRecord) => string;
  readonly #takeBlock: () => Buffer;
  readonly #writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>;
  /** What is complete. */
  readonly #blocks: Uint8Array[] = [];
  readonly #own: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  #pending = '';

  constructor(
    lineOf: (record: AuditRecord) => string,
    takeBlock: () => Buffer,
    writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>,
  ) {
    this.#lineOf = lineOf;
    this.#takeBlock = takeBlock;
    this.#writeAll = writeAll;
  }

  add(record: AuditRecord): void {
    this.#pending += `${this.#lineOf(record)}\n`;
    if (this.#pending.length >= STRETCH) this.#encode();
  }

  write(): Promise<void> {
    if (this.#pending !== '') this.#encode();
    this.#endBlock();
    return this.#writeAll(this.#blocks, this.#own);
  }

  #encode(): void {
    const most = this.#pending.length * MAX_UNIT;
    if (most > BLOCK) {
      this.#endBlock();
      this.#blocks.push(Buffer.from(this.#pending));
    } else {
      if (!this.#block || this.#filled + most > BLOCK) {
        this.#endBlock();
        this.#block = this.#takeBlock();
        this.#own.push(this.#block);
      }
      this.#filled += encoder.encodeInto(this.#pending, this.#block.subarray(this.#filled)).written;
    }
    this.#pending = '';
  }

  #endBlock(): void {
    if (this.#block) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
