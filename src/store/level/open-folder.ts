import { ENCODINGS, type LevelDatabase } from './database.js';

/** The database in a folder. In contrast to other databases, it can also be compacted. */
export interface FolderDatabase extends LevelDatabase {
  /** Rewrites the files without removed entries. */
  compactRange(start: string, end: string): Promise<void>;
}

/**
 * Creates the database of a folder without opening it. The package is loaded here, because only storages in a folder need it.
 * @param createIfMissing whether opening the database creates an absent folder
 * @throws Error when the package `classic-level` is not installed.
 */
export async function openFolder(path: string, createIfMissing = true): Promise<FolderDatabase> {
  const { ClassicLevel } = await loadClassicLevel();
  return new ClassicLevel(path, { ...ENCODINGS, createIfMissing });
}

/** The name of the package is joined at run time, so that bundlers for browsers do not look for a package that only Node can load. */
const PACKAGE = ['classic', 'level'].join('-');

async function loadClassicLevel() {
  try {
    return (await import(/* @vite-ignore */ PACKAGE)) as typeof import('classic-level');
  } catch (error) {
    throw new Error('storing data in a folder requires the package classic-level: npm install classic-level', {
      cause: error,
    });
  }
}
