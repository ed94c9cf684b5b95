import { ENCODINGS, type LevelDatabase } from './database.js';

/** The database in a folder. In contrast to other databases, it can also be compacted. */
export interface FolderDatabase extends LevelDatabase {
  /** Rewrites the files without removed entries. */
  compactRange(start: string, end: string): Promise<void>;
}

/**
 * Creates the database of a folder without opening it. The package is loaded here, because only storages in a folder need it.
 * @param createIfMissing whether an absent folder is created. Only its owner may read it, because the database contains all Secrets and its
 * files have no private modes of their own.
 * @throws Error when the package `classic-level` is not installed.
 */
export async function openFolder(path: string, createIfMissing = true): Promise<FolderDatabase> {
  const { ClassicLevel } = await loadClassicLevel();
  if (createIfMissing) await createPrivateFolder(path);
  return new ClassicLevel(path, { ...ENCODINGS, createIfMissing });
}

async function createPrivateFolder(path: string): Promise<void> {
  const { mkdir } = (await import(/* @vite-ignore */ FILES)) as FileSystem;
  // If the folder cannot be created, opening the database fails too, and that error gives the reason.
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
}

/** The part of Node's file system that is needed here. */
interface FileSystem {
  mkdir(path: string, options: { readonly recursive: boolean; readonly mode: number }): Promise<unknown>;
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
