import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
};

/**
 * The text of a file.
 * @throws Error in the reference's words: `open FILE: no such file or directory`.
 */
export async function readTextFile(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const operation = error.code === 'EISDIR' ? 'read' : 'open';
    throw new Error(`${operation} ${file}: ${CAUSES[error.code ?? ''] ?? error.message}`, { cause: error });
  });
}

/** The text of a file that need not be named; undefined when it is not. @throws Error as {@link readTextFile}. */
export async function readOptionalTextFile(file: string | undefined): Promise<string | undefined> {
  return file === undefined || file === '' ? undefined : await readTextFile(file);
}

/** Writes a file that only its owner may read, whole or not at all. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
