import type { AuditEvent } from '../../audit/audit-event.js';
import type { AuditRecord } from '../../audit/audit-record.js';
import type { AuditBatch, AuditSink } from '../../audit/audit-sink.js';
import { systemClock } from '../../meta/clock.js';
import type { FlagValues } from '../flags.js';
import { LineGatherer, type WriteBlocks } from './line-batch.js';
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

/** Default size of a batch. As many lines fill a block, because one write costs more than hundreds of lines do. */
const LINES = 1000;

/** Writes that arrive while another one is under way are joined into one batch, and all of their callers wait for it. */
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
