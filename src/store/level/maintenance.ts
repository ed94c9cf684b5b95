import type { Clock } from '../../meta/clock.js';
import type { BackendInitialState, BackendRecord } from '../backend.js';
import { DEFAULT_MAX_AGE } from '../history.js';
import { writeBatch } from './database.js';
import { LevelBackend, removalsOf } from './level-backend.js';
import { type FolderDatabase, openFolder } from './open-folder.js';
import { explainOpenError, throwProblem } from './problems.js';
import { hasState, type ReadState, readState } from './read-state.js';
import { RecordError } from './record.js';

/** The content of a data folder, and what is wrong with it. */
export interface FolderReport {
  /** The number of objects. */
  readonly objects: number;
  /** The number of events of the history. */
  readonly events: number;
  /** Revision of the newest write. */
  readonly revision: number;
  /** The oldest revision from which a watch can start. */
  readonly compactRevision: number;
  /** What is wrong with the folder, for the operator; empty for a folder that can be used. */
  readonly problems: readonly string[];
}

/** Reads and checks every record of a folder. @throws Error for a folder that cannot be opened. */
export async function checkFolder(path: string): Promise<FolderReport> {
  return await inFolder(path, async (database) => {
    const problems: string[] = [];
    const state = await readState(database, ({ message }) => problems.push(message));
    return { ...report(state), problems };
  });
}

/**
 * Removes the history that is older than five minutes, and compacts the files of the database.
 * @throws Error for a folder that cannot be opened, and for a damaged one.
 */
export async function compactFolder(path: string, { now }: Pick<Clock, 'now'>): Promise<FolderReport> {
  return await inFolder(path, async (database) => {
    const { versions, events } = await readState(database, throwProblem);
    const oldest = now() - DEFAULT_MAX_AGE;
    const upTo = events.findLast(({ time = 0 }) => time < oldest)?.revision ?? 0;
    const compaction = versions.planCompaction(upTo);
    await writeBatch(database, removalsOf(compaction), true);
    await database.compactRange('', '~');
    return report(await readState(database, throwProblem));
  });
}

/**
 * Returns the newest state of a folder: its revision, and the objects in the order of their keys.
 * @throws as {@link compactFolder}
 */
export async function readFolder(
  path: string,
): Promise<{ readonly revision: number; readonly entries: readonly BackendRecord<string>[] }> {
  return await inFolder(path, async (database) => {
    const { revision, entries, events } = await readState(database, throwProblem);
    const newest = new Map<string, BackendRecord<string>>();
    for (const record of [...entries, ...events]) {
      if (record.type === 'put') newest.set(record.key, record);
      else newest.delete(record.key);
    }
    return { revision, entries: [...newest.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) };
  });
}

/** Fills a folder that has no data. @throws Error for a folder that has data, or that cannot be opened. */
export async function fillFolder(path: string, initial: BackendInitialState<string>, clock: Clock): Promise<void> {
  const database = await openFolder(path);
  const backend = new LevelBackend({ database, name: path, durability: 'machine', clock });
  try {
    await database.open();
    if (await hasState(database)) throw new RecordError('it already contains data');
  } catch (error) {
    await database.close();
    throw explainOpenError(path, error);
  }
  await backend.open({ committed() {}, progressed() {}, replaced() {} }, initial);
  await backend.close();
}

async function inFolder<R>(path: string, work: (database: FolderDatabase) => Promise<R>): Promise<R> {
  const database = await openFolder(path, false);
  try {
    await database.open();
    if (!(await hasState(database))) throw new RecordError('it has no data');
    return await work(database);
  } catch (error) {
    throw explainOpenError(path, error);
  } finally {
    await database.close();
  }
}

function report({ versions, events, revision, compactRevision }: ReadState): FolderReport {
  return { objects: versions.count, events: events.length, revision, compactRevision, problems: [] };
}
