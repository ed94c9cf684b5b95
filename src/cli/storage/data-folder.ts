import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const WRITABLE_BY_ALL = 0o002;
const OTHERS = 0o007;
const PRIVATE = 0o700;
/** What the codes of errors mean for the creation of a folder. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  // Node reports this code also for a read-only file system.
  ENOENT: 'the folder around it does not exist or is read-only',
  ENOSPC: 'the disk is full',
};

/** Returns the paths inside the folder of `--data-dir`. */
export const dataFolder = (folder: string) => ({
  /** The database of all objects. */
  database: join(folder, 'db'),
  /** The folder with the certificate authority and the key that signs service account tokens. */
  keys: join(folder, 'pki'),
  kubeconfig: join(folder, 'admin.kubeconfig'),
});

/**
 * Creates a folder that only its owner may read, unless it exists.
 * @param flag the name of the flag that contains the path
 * @throws Error when it cannot be created, or when everybody may write to it, because whoever can replace the CA key in it can impersonate
 * every user.
 */
export async function openPrivateFolder(flag: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE }).catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? ''] ?? error.message;
    throw new Error(`--${flag} ${folder}: the folder cannot be created: ${reason}`, { cause: error });
  });
  // Windows has no POSIX mode bits.
  if (process.platform !== 'win32' && ((await stat(folder)).mode & WRITABLE_BY_ALL) !== 0)
    throw new Error(
      `--${flag} ${folder}: other users may write to this folder; choose one that only its owner may write to`,
    );
}

/**
 * Creates the folder of the database in a folder of `--data-dir`, and returns its path. Other users may not read it, even if they may read
 * the folder around it, because the database contains all Secrets and its files do not have private modes of their own.
 * @throws Error when it cannot be created or made private, or when everybody may write to the folder around it.
 */
export async function openDatabaseFolder(folder: string): Promise<string> {
  await openPrivateFolder('data-dir', folder);
  const { database } = dataFolder(folder);
  await mkdir(database, { recursive: true, mode: PRIVATE });
  const { mode } = await stat(database);
  // The group keeps its rights, because the processes of a cluster may share a volume by their group.
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) await chmod(database, mode & ~OTHERS);
  return database;
}
