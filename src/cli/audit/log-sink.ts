import type { AuditEvent } from '../../audit/audit-event.js';
import type { AuditRecord } from '../../audit/audit-record.js';
import type { AuditBatch, AuditSink } from '../../audit/audit-sink.js';
import { systemClock } from '../../meta/clock.js';
import type { FlagValues } from '../flags.js';
import { openRotatingFile } from './rotating-file.js';

/** A destination for lines that end with line breaks. */
interface Output {
  readonly write: WriteBlocks;
  close(): Promise<void>;
}

/**
 * Returns a sink that writes events as lines, to a rotated file or to stdout.
 * @param lineOf returns the line of an event. Default: its JSON.
 * @throws Error for a file that cannot be written.
 */
export async function logSink(
  path: string,
  values: FlagValues,
  lineOf: ((event: AuditEvent) => string) | undefined,
  log: (message: string) => void,
): Promise<AuditSink> {
  const output: Output =
    path === '-'
      ? standardOutput
      : await openRotatingFile(path, {
          maxMegabytes: values['audit-log-maxsize'],
          maxDays: values['audit-log-maxage'],
          maxBackups: values['audit-log-maxbackup'],
          compress: values['audit-log-compress'],
          clock: systemClock,
          log,
        });
  const written = lineOf ? ({ event }: AuditRecord) => lineOf(event) : ({ line }: AuditRecord) => line;
  const gatherer = new LineGatherer(written, (blocks) => output.write(blocks));
  const joint = new JointWrites(() => gatherer.open());
  return {
    name: 'log',
    batch: { maxSize: LINES },
    gather: () => gatherer.open(),
    write: (records) => joint.write(records),
    close: () => output.close(),
  };
}

/**
 * The default maximum number of events in a batch. Their lines fill about one buffer of {@link BLOCK} bytes. Batches are large, because one
 * write costs more than encoding hundreds of lines.
 */
const LINES = 1000;

/** Joins writes: records that arrive while another write is in progress form one batch, and all their callers wait for that batch. */
class JointWrites {
  readonly #collectBatch: () => AuditBatch;
  #next: { readonly batch: AuditBatch; readonly written: Promise<void> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(gather: () => AuditBatch) {
    this.#collectBatch = gather;
  }

  write(records: readonly AuditRecord[]): Promise<void> {
    this.#next ??= this.#open();
    for (const record of records) this.#next.batch.add(record);
    return this.#next.written;
  }

  #open() {
    const batch = this.#collectBatch();
    const written = this.#last.then(() => {
      this.#next = undefined;
      return batch.write();
    });
    this.#last = written.catch(() => {});
    return { batch, written };
  }
}

const standardOutput: Output = {
  async write(blocks) {
    for (const block of blocks)
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(block, (error) => (error ? reject(error) : resolve()));
      });
  },
  close: async () => {},
};

/**
 * The size in bytes of a block, which is a buffer for encoded lines. Lines that may be too long for one block get a buffer of their own.
 */
const BLOCK = 1024 * 1024;
/** The maximum number of unused blocks that are kept for later batches, because allocating a block costs more than filling it. */
const MAX_SPARE = 2;
/** The total `weight` of waiting events at which they are encoded together. About thirty events have this weight. */
const ENCODE_FROM = 32 * 1024;
/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_UNIT = 3;

const encoder = new TextEncoder();

/** Writes blocks of whole lines; rejects when the lines are lost. The blocks must not be reused before the promise settles. */
export type WriteBlocks = (blocks: readonly Uint8Array[]) => Promise<void>;

/** Returns the line of an event without its line break. */
export type LineOf = (record: AuditRecord) => string;

/**
 * Collects lines as bytes. As strings, they would survive garbage collections of V8's young generation while they wait for a write, and
 * moving them would cost more than encoding and writing them.
 */
export class LineGatherer {
  readonly #lineOf: LineOf;
  readonly #write: WriteBlocks;
  readonly #freeBuffers: Buffer[] = [];

  constructor(lineOf: LineOf, write: WriteBlocks) {
    this.#lineOf = lineOf;
    this.#write = write;
  }

  open(): AuditBatch {
    const takeBlock = () => this.#freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    return new LineBatch(this.#lineOf, takeBlock, async (blocks, own) => {
      try {
        await this.#write(blocks);
      } finally {
        for (const block of own) if (this.#freeBuffers.length < MAX_SPARE) this.#freeBuffers.push(block);
      }
    });
  }
}

class LineBatch implements AuditBatch {
  readonly #lineOf: LineOf;
  readonly #takeBlock: () => Buffer;
  readonly #writeAll: (blocks: readonly Uint8Array[], own: readonly Buffer[]) => Promise<void>;
  /** Blocks that are full. */
  readonly #blocks: Uint8Array[] = [];
  readonly #own: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  /** Events that wait to be encoded together. Encoding each event while its request is handled would take several times as long. */
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
    if (this.#weight >= ENCODE_FROM) this.#encodeAll();
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
    // `encodeInto` takes a fraction of the time of `Buffer.write`.
    this.#filled += encoder.encodeInto(lines, this.#block.subarray(this.#filled)).written;
  }

  #endBlock(): void {
    if (this.#block) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
