import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const EVERYBODY_WRITES = 0o002;

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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Windows has no POSIX mode bits.
  if (process.platform !== 'win32' && ((await stat(folder)).mode & EVERYBODY_WRITES) !== 0)
    throw new Error(
      `--${flag} ${folder}: other users may write to this folder; choose one that only its owner may write to`,
    );
}
