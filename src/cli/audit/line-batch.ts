import type { AuditRecord } from '../../audit/audit-record.js';
import type { AuditBatch } from '../../audit/audit-sink.js';

/** Bytes of a block; lines that may be longer have one of their own. */
const BLOCK = 1024 * 1024;
/** Blocks that are kept for the next batch: memory that is asked for each time costs more than what is written to it. */
const MAX_SPARE = 2;
/** What waiting events weigh together before their bytes are made: some thirty. */
const ENOUGH = 32 * 1024;
/** A code unit has at most so many bytes of UTF-8. */
const MAX_UNIT = 3;

/** Writes blocks of whole lines; rejects where they are lost. They are in use until it resolves. */
export type WriteBlocks = (blocks: readonly Uint8Array[]) => Promise<void>;

/** The line of an event, without its end. */
export type LineOf = (record: AuditRecord) => string;

/** Gathers lines as bytes. Lines that wait as texts would outlive collections of garbage, which costs more than all else about them. */
export class LineGatherer {
  readonly #lineOf: LineOf;
  readonly #write: WriteBlocks;
  readonly #spare: Buffer[] = [];

  constructor(lineOf: LineOf, write: WriteBlocks) {
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
  readonly #lineOf: LineOf;
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
    lineOf: LineOf,
    takeBlock: () => Buffer,
    writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>,
  ) {
    this.#lineOf = lineOf;
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
    let text = '';
    for (const record of this.#waiting) text += `${this.#lineOf(record)}\n`;
    this.#waiting = [];
    this.#weight = 0;
    if (text !== '') this.#encode(text);
  }

  #encode(lines: string): void {
    const most = lines.length * MAX_UNIT;
    if (most > BLOCK) {
      this.#endBlock();
      this.#blocks.push(Buffer.from(lines));
      return;
    }
    if (!this.#block || this.#filled + most > BLOCK) {
      this.#endBlock();
      this.#block = this.#takeBlock();
      this.#own.push(this.#block);
    }
    this.#filled += this.#block.write(lines, this.#filled);
  }

  #endBlock(): void {
    if (this.#block) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
