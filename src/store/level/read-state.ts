import type { BackendRecord, BackendState } from '../backend.js';
import { chunksOf, ENCODINGS, type LevelDatabase } from './database.js';
import {
  AFTER_RECORDS,
  BASE_KEY,
  BEFORE_RECORDS,
  decodeBase,
  decodeNumber,
  decodeRecord,
  FORMAT,
  FORMAT_KEY,
  RecordError,
  SUM,
} from './record.js';
import { type Version, Versions } from './versions.js';

/** The complete content of a database. */
export interface ReadState extends BackendState<string> {
  readonly versions: Versions;
  /** Revision of the newest write. */
  readonly revision: number;
}

/**
 * Returns whether the database contains a stored state; false for an empty database.
 * @throws RecordError for a newer format, and for a database with the data of another program.
 */
export async function hasState(database: LevelDatabase): Promise<boolean> {
  const format = decodeNumber(await database.get(FORMAT_KEY, ENCODINGS));
  if (format === FORMAT) return true;
  if (format !== undefined)
    throw new RecordError(
      `it has format ${format}, and this release reads format ${FORMAT}: use the release that wrote it`,
    );
  for await (const _ of chunksOf(database, {})) throw new RecordError('it has the data of another program');
  return false;
}

/**
 * Reads and checks all records.
 * @param onProblem called with an error for each damaged or missing record. If it does not throw, reading continues.
 */
export async function readState(
  database: LevelDatabase,
  onProblem: (problem: RecordError) => void,
): Promise<ReadState> {
  const base = decodeBase(await database.get(BASE_KEY, ENCODINGS));
  const versions = new Versions(base);
  const entries: BackendRecord<string>[] = [];
  const events: BackendRecord<string>[] = [];
  let { revision } = base;
  let sum = 0;
  let isComplete = false;
  const endBase = (): void => {
    isComplete = true;
    if (entries.length === base.count && sum === base.sum) return;
    onProblem(
      new RecordError(`${base.count} objects were stored at revision ${base.revision}, ${entries.length} are there`),
    );
  };
  for await (const chunk of chunksOf(database, { gt: BEFORE_RECORDS, lt: AFTER_RECORDS })) {
    for (const [databaseKey, value] of chunk) {
      const record = decodeKept(databaseKey, value, onProblem);
      if (record === undefined) continue;
      if (record.revision <= base.revision) {
        entries.push(record);
        sum = (sum + record.revision) % SUM;
        if (record.type === 'delete' || versions.newest(record.key) !== undefined)
          onProblem(new RecordError(`${record.key} is stored twice, the second time at revision ${record.revision}`));
        versions.addEntry(record);
        continue;
      }
      if (!isComplete) endBase();
      const before = versions.newest(record.key);
      checkEvent(record, revision, before, onProblem);
      ({ revision } = record);
      events.push(record);
      versions.addEvent(record, before);
    }
  }
  if (!isComplete) endBase();
  return { compactRevision: base.revision, entries, events, versions, revision };
}

function decodeKept(
  key: string,
  value: string,
  onProblem: (problem: RecordError) => void,
): BackendRecord<string> | undefined {
  try {
    return decodeRecord(key, value);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/**
 * Checks that a write continues the earlier writes: no revision is missing, and its `createRevision` fits the previous write of its key.
 */
function checkEvent(
  { type, key, revision, createRevision }: BackendRecord<string>,
  newest: number,
  before: Version | undefined,
  onProblem: (problem: RecordError) => void,
): void {
  if (revision !== newest + 1)
    onProblem(new RecordError(`the writes of the revisions ${newest + 1} to ${revision - 1} are missing`));
  else if (
    before === undefined ? type === 'delete' || createRevision !== revision : createRevision !== before.createRevision
  )
    onProblem(new RecordError(`the write of revision ${revision} does not continue the one before of ${key}`));
}
