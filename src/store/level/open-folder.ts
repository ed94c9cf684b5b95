import { ENCODINGS, type LevelDatabase } from './database.js';
import { explainOpenError } from './problems.js';

/** The database in a folder. In contrast to other databases, it can also be compacted. */
export interface FolderDatabase extends LevelDatabase {
  /** Rewrites the files without removed entries. */
  compactRange(start: string, end: string): Promise<void>;
}

/**
 * Creates the database of a folder without opening it. The package is loaded here, because only storages in a folder need it.
 * @param createIfMissing whether an absent folder is created. Only its owner may read it, because the database contains all Secrets and its
 * files have no private modes of their own.
 * @throws Error when the package `classic-level` is not installed, and for damage that LevelDB itself does not report
 */
export async function openFolder(path: string, createIfMissing = true): Promise<FolderDatabase> {
  const { ClassicLevel } = await loadClassicLevel();
  if (createIfMissing) await createPrivateFolder(path);
  const damage = await unreportedDamage(path);
  if (damage) throw explainOpenError(path, Object.assign(new Error(damage), { code: 'LEVEL_CORRUPTION' }));
  // Within one process, LevelDB takes two spellings of a path for two databases, and both would write to the same files.
  const { realpath } = (await import(/* @vite-ignore */ FILES)) as FileSystem;
  return new ClassicLevel(await realpath(path).catch(() => path), { ...ENCODINGS, createIfMissing });
}

async function createPrivateFolder(path: string): Promise<void> {
  const { mkdir } = (await import(/* @vite-ignore */ FILES)) as FileSystem;
  // If the folder cannot be created, opening the database fails too, and that error gives the reason.
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
}

/** The head of a record in a log, and the sequence number of the write in it, whose highest byte is always 0. */
const RECORD_HEAD = 7;
const SEQUENCE_END = RECORD_HEAD + 8;

/**
 * Returns what is wrong with the files of a database that LevelDB would not report: it creates an empty database if the file CURRENT is
 * missing, ignores a missing log, and aborts the process if the content of a log is that of another file.
 */
async function unreportedDamage(path: string): Promise<string | undefined> {
  const { open, readdir } = (await import(/* @vite-ignore */ FILES)) as FileSystem;
  // If the folder cannot be read, opening the database fails too.
  const names: readonly string[] = await readdir(path).catch(() => []);
  const logs = names.filter((name) => /^\d+\.log$/.test(name));
  const hasCurrent = names.includes('CURRENT');
  if (!hasCurrent && (logs.length > 0 || names.some((name) => /^\d+\.(?:ldb|sst)$/.test(name))))
    return 'the file CURRENT is missing';
  // Only a creation that was interrupted leaves the first manifest without a log.
  if (hasCurrent && logs.length === 0 && !names.includes('MANIFEST-000001')) return 'the log is missing';
  for (const name of logs) {
    const file = await open(`${path}/${name}`).catch(() => undefined);
    const { buffer, bytesRead = 0 } = (await file?.read(new Uint8Array(SEQUENCE_END), 0, SEQUENCE_END, 0)) ?? {};
    await file?.close();
    if (bytesRead === SEQUENCE_END && buffer?.[SEQUENCE_END - 1] !== 0) return `${name} is not a log`;
  }
  return undefined;
}

/** The part of Node's file system that is needed here. */
interface FileSystem {
  realpath(path: string): Promise<string>;
  readdir(path: string): Promise<readonly string[]>;
  open(path: string): Promise<OpenFile>;
  mkdir(path: string, options: { readonly recursive: boolean; readonly mode: number }): Promise<unknown>;
}

interface OpenFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Uint8Array; readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** These names are joined at run time, so that bundlers for browsers do not look for modules that only Node can load. */
const PACKAGE = ['classic', 'level'].join('-');
const FILES = ['node:fs', 'promises'].join('/');

async function loadClassicLevel() {
  try {
    return (await import(/* @vite-ignore */ PACKAGE)) as typeof import('classic-level');
  } catch (error) {
    throw new Error('storing data in a folder requires the package classic-level: npm install classic-level', {
      cause: error,
    });
  }
}
