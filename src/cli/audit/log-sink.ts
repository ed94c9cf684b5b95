import type { AuditEvent } from '../../audit/audit-event.js';
import type { AuditSink } from '../../audit/audit-sink.js';
import { systemClock } from '../../meta/clock.js';
import type { FlagValues } from '../flags.js';
import { openRotatingFile } from './rotating-file.js';

/** Takes lines, without their ends; resolves when they are written. */
interface Output {
  write(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes events as lines, to a file that is rotated or to stdout.
 * @param lineOf the line of an event; its JSON unless given
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
  return {
    name: 'log',
    batch: { maxSize: LINES },
    write: (records) => output.write(records.map((record) => (lineOf ? lineOf(record.event) : record.line))),
    close: () => output.close(),
  };
}

/** Of a batch, unless told otherwise: what a write costs beside its lines is more than hundreds of them do. */
const LINES = 1600;

const standardOutput: Output = {
  write: (lines) =>
    new Promise((resolve, reject) => {
      process.stdout.write(`${lines.join('\n')}\n`, (error) => (error ? reject(error) : resolve()));
    }),
  close: async () => {},
};
