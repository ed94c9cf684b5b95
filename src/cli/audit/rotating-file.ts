import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';
import { exists } from '../files.js';

export interface RotatingFileOptions {
  /** Maximum size of the file in megabytes; 0 means 100. */
  readonly maxMegabytes: number;
  /** Days for which old files are kept; 0 means for ever. */
  readonly maxDays: number;
  /** Number of old files that are kept; 0 means all. */
  readonly maxBackups: number;
  /** Whether old files are compressed to `.gz`. */
  readonly compress: boolean;
  readonly clock: Pick<Clock, 'now'>;
  log(message: string): void;
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 100;
const DAY = 86_400_000;
/** The modes of log files and of their folder. Only the owner may read them, because audit events contain what each user did. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NEW_LINE = 0x0a;
/** The ending of a file that is being compressed. */
const DRAFT = '.gz.tmp';

/**
 * Opens a file that is replaced by a new one when it is full. Old files are kept beside it as `name-TIME.ext`.
 * @throws Error when the file cannot be written.
 */
export async function openRotatingFile(path: string, options: RotatingFileOptions): Promise<RotatingFile> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
  // The file is created at the start, because operators look for it before the first event.
  const file = await open(path, 'a+', FILE_MODE).catch(refuse);
  await file.close();
  return new RotatingFile(path, options);
}

function refuse(error: unknown): never {
  throw new Error(`ensureLogFile: ${messageOf(error)}`, { cause: error });
}

class RotatingFile {
  readonly #path: string;
  readonly #options: RotatingFileOptions;
  readonly #max: number;
  #file: FileHandle | undefined;
  /** Size of the current file in bytes. */
  #size = 0;
  #last: Promise<unknown> = Promise.resolve();
  #cleanUpRunning = Promise.resolve();

  constructor(path: string, options: RotatingFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#max = (options.maxMegabytes || DEFAULT_MEGABYTES) * MEGABYTE;
  }

  /** Writes blocks of whole lines in order, and never splits a line between two files. Rejects when lines are lost. */
  write(blocks: readonly Uint8Array[]): Promise<void> {
    const written = this.#last.then(() => this.#appendAll(blocks));
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#cleanUpRunning;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #appendAll(blocks: readonly Uint8Array[]): Promise<void> {
    try {
      for (const block of blocks) await this.#append(block);
    } catch (error) {
      // The failure may be temporary, so the next write opens the file again.
      await this.#file?.close().catch(() => {});
      this.#file = undefined;
      throw error;
    }
  }

  async #append(block: Uint8Array): Promise<void> {
    await this.#open();
    for (let rest = block; rest.length > 0; ) {
      const room = this.#max - this.#size;
      const fits = rest.length <= room ? rest.length : room <= 0 ? 0 : rest.lastIndexOf(NEW_LINE, room - 1) + 1;
      await this.#write(rest.subarray(0, fits));
      rest = rest.subarray(fits);
      if (rest.length === 0) return;
      const line = rest.indexOf(NEW_LINE) + 1;
      if (line > this.#max) throw new Error(`write length ${line} exceeds maximum file size ${this.#max}`);
      await this.#rotate();
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const file = await this.#open();
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, from, bytes.length - from);
      from += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  async #open(): Promise<FileHandle> {
    if (!this.#file) {
      const file = await open(this.#path, 'a+', FILE_MODE);
      this.#file = file;
      this.#size = (await file.stat()).size;
      if (this.#size === 0) return file;
      // A write that failed, or a process that was killed, may have left a part of a line. The next line must not become a part of it.
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, this.#size - 1);
      if (buffer[0] !== NEW_LINE) await this.#write(Buffer.of(NEW_LINE));
    }
    return this.#file;
  }

  async #rotate(): Promise<void> {
    const isFile = (await this.#file?.stat())?.isFile() ?? true;
    this.#size = 0;
    // A pipe or a device, such as /dev/stdout, must not be renamed.
    if (!isFile) return;
    await this.#file?.close();
    this.#file = undefined;
    // If somebody has removed the file, nothing is left to rename.
    await rename(this.#path, await this.#freeName()).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await this.#open();
    this.#cleanUpRunning = this.#cleanUpRunning
      .then(() => this.#cleanUp())
      .catch((error: unknown) =>
        this.#options.log(`the rotated files of ${this.#path} could not be compressed or removed: ${messageOf(error)}`),
      );
  }

  /** Returns a file name with the current time. If such a file exists, the time is increased by milliseconds until none does. */
  async #freeName(): Promise<string> {
    for (let time = this.#options.clock.now(); ; time++) {
      const name = join(dirname(this.#path), this.#nameAt(time));
      if (!(await exists(name)) && !(await exists(`${name}.gz`))) return name;
    }
  }

  #nameAt(time: number): string {
    const extension = extname(this.#path);
    const stamp = new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
    return `${basename(this.#path, extension)}-${stamp}${extension}`;
  }

  /** Deletes old files that exceed the maximum number or age, and compresses the remaining ones if the option `compress` is set. */
  async #cleanUp(): Promise<void> {
    const { maxBackups, maxDays, compress, clock } = this.#options;
    const { old, drafts } = await this.#oldFiles();
    // Files are compressed one after the other in this function, so a draft that already exists was left behind by a crash.
    for (const draft of drafts) await rm(draft, { force: true });
    const oldest = maxDays > 0 ? clock.now() - maxDays * DAY : Number.NEGATIVE_INFINITY;
    for (const [i, { file, time }] of old.entries()) {
      if ((maxBackups > 0 && i >= maxBackups) || time < oldest) await rm(file, { force: true });
      else if (compress && !file.endsWith('.gz')) await compressFile(file);
    }
  }

  /** Returns the old files, newest first, and the drafts of compressed ones. */
  async #oldFiles(): Promise<{
    readonly old: readonly { readonly file: string; readonly time: number }[];
    readonly drafts: readonly string[];
  }> {
    const folder = dirname(this.#path);
    const extension = extname(this.#path);
    const prefix = `${basename(this.#path, extension)}-`;
    const old: { file: string; time: number }[] = [];
    const drafts: string[] = [];
    for (const name of await readdir(folder)) {
      const plain = name.replace(/\.gz(?:\.tmp)?$/, '');
      if (!plain.startsWith(prefix) || !plain.endsWith(extension)) continue;
      const stamp = plain.slice(prefix.length, plain.length - extension.length);
      const parts = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp);
      if (!parts) continue;
      const file = join(folder, name);
      if (name.endsWith(DRAFT)) drafts.push(file);
      else old.push({ file, time: Date.parse(`${parts[1]}${parts.slice(2).join(':')}Z`) });
    }
    return { old: old.sort((a, b) => b.time - a.time), drafts };
  }
}

/** Compresses a file into a temporary file first, so that a failure leaves only the original. */
async function compressFile(file: string): Promise<void> {
  const draft = `${file}${DRAFT}`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(draft, { mode: FILE_MODE }));
    await rename(draft, `${file}.gz`);
    await rm(file, { force: true });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
