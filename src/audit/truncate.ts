import { isAtLeast } from './audit-event.js';
import type { AuditRecord } from './audit-record.js';
import type { AuditTruncateOptions } from './audit-sink.js';

const MAX_EVENT = 100 * 1024;
const MAX_BATCH = 10 * 1024 * 1024;

/** Events within the limits, in parts to be written one after the other, and the number of events that were dropped. */
export interface Bounded {
  readonly parts: readonly (readonly AuditRecord[])[];
  readonly lost: number;
}

/**
 * Applies the size limits of a sink to events: removes objects from those that are too large, and drops those that still are (spec 23.6).
 */
export function truncateRecords(
  records: readonly AuditRecord[],
  { maxEventSize = MAX_EVENT, maxBatchSize = MAX_BATCH }: AuditTruncateOptions,
): Bounded {
  const parts: AuditRecord[][] = [];
  let lost = 0;
  let size = 0;
  for (const record of records) {
    const fits = record.size <= maxEventSize || !isAtLeast(record.level, 'Request') ? record : record.truncated();
    if (fits.size > maxEventSize) {
      lost++;
      continue;
    }
    const last = parts.at(-1);
    if (last && size + fits.size <= maxBatchSize) {
      last.push(fits);
      size += fits.size;
    } else {
      parts.push([fits]);
      size = fits.size;
    }
  }
  return { parts, lost };
}
