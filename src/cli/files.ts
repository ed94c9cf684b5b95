import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
};

/** An error about a file. Its message is upstream's, such as `open FILE: no such file or directory`. */
export class FileError extends Error {
  /** The path of the file. */
  readonly file: string;

  constructor(message: string, file: string, cause: unknown) {
    super(message, { cause });
    this.name = 'FileError';
    this.file = file;
  }
}

/** Reads a text file. @throws FileError */
export async function readTextFile(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const operation = error.code === 'EISDIR' ? 'read' : 'open';
    throw new FileError(`${operation} ${file}: ${CAUSES[error.code ?? ''] ?? error.message}`, file, error);
  });
}

/** Reads the text file that an optional flag names; returns undefined when the flag is absent. @throws FileError */
export async function readOptionalTextFile(file: string | undefined): Promise<string | undefined> {
  return file === undefined || file === '' ? undefined : await readTextFile(file);
}

/** Reads a text file; returns undefined when it does not exist. @throws FileError for other reasons. */
export async function readFileIfExists(file: string): Promise<string | undefined> {
  return await readTextFile(file).catch((error: Error) => {
    if ((error.cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Returns whether a file or a folder exists and can be accessed. */
export async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

/** Checks whether a file can be written, without changing it. @throws FileError */
export async function checkWritable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isDirectory()) throw new FileError(`open ${file}: ${CAUSES['EISDIR']}`, file, undefined);
  const draft = draftOf(file);
  try {
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FileError(`open ${file}: ${CAUSES[code ?? ''] ?? message}`, file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Returns the path of a temporary file. It is in the folder of the final file, so that the rename is atomic. Its name is random, so that
 * other users cannot create it beforehand.
 */
const draftOf = (file: string) => `${file}.${randomUUID()}.tmp`;

/**
 * Writes a file that only its owner may read. A failure leaves the previous file unchanged.
 * @param publish gives the written draft its final name. Default: replaces the previous file.
 * @throws FileError
 */
export async function writePrivateFile(
  file: string,
  text: string,
  publish: (draft: string) => Promise<void> = (draft) => rename(draft, file),
): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await chmod(draft, 0o600);
    await publish(draft);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FileError(`write ${file}: ${CAUSES[code ?? ''] ?? message}`, file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Writes a file as {@link writePrivateFile} does, unless it exists. Returns the content of the file: programs that create it at the same
 * time all get the content that the first of them wrote. @throws FileError
 */
export async function createPrivateFile(file: string, text: string): Promise<string> {
  await writePrivateFile(file, text, async (draft) => {
    try {
      await link(draft, file);
    } catch (error) {
      const isThere =
        (error as NodeJS.ErrnoException).code === 'EEXIST' && (await readFileIfExists(file)) !== undefined;
      // The file is a symbolic link to nothing, or the file system has no hard links.
      if (!isThere) await rename(draft, file);
    }
  });
  return (await readFileIfExists(file)) ?? text;
}
