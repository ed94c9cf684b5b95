import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../meta/clock.js';
import { messageOf } from '../../values/message-of.js';

export interface RotatingFileOptions {
  /** Megabytes of the file; 0 is 100. */
  readonly maxMegabytes: number;
  /** Days that old files stay; 0 is for ever. */
  readonly maxDays: number;
  /** Old files that stay; 0 is all. */
  readonly maxBackups: number;
  /** Old files become `.gz`. */
  readonly compress: boolean;
  readonly clock: Pick<Clock, 'now'>;
  log(message: string): void;
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 100;
const DAY = 86_400_000;
/** Events name who did what: no other user may read them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Bytes that are written at once at most: more than most batches could have, whatever is in them. */
const CHUNK = 4 * 1024 * 1024;
/** A code unit has at most so many bytes of UTF-8. */
const MAX_UNIT = 3;
const NEW_LINE = 0x0a;
const mostBytes = ({ length }: string): number => (length + 1) * MAX_UNIT;

/** Lines that belong together, and who waits for them. */
interface Waiting {
  readonly lines: readonly string[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A file that another takes the place of when it is full; old ones are `name-TIME.ext` beside it.
 * @throws Error when the file cannot be written.
 */
export async function openRotatingFile(path: string, options: RotatingFileOptions): Promise<RotatingFile> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
  // It is there from the start, as people look for it.
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
  /** Bytes of the file. */
  #size = 0;
  /** What is written, in reuse: memory that is asked for each time costs more than what is written to it. */
  #chunk: Buffer | undefined;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #tidying = Promise.resolve();

  constructor(path: string, options: RotatingFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#max = (options.maxMegabytes || DEFAULT_MEGABYTES) * MEGABYTE;
  }

  /** Writes lines, given without their ends, each whole into one file; what waits meanwhile is written at once. Rejects where they are lost. */
  write(lines: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    await this.#draining;
    await this.#tidying;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(taken.length === 1 ? (taken[0] as Waiting).lines : taken.flatMap(({ lines }) => lines));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        // What is wrong with the file may pass: it is opened again.
        await this.#file?.close().catch(() => {});
        this.#file = undefined;
        for (const { reject } of taken) reject(error);
      }
    }
    this.#draining = undefined;
  }

  /** Lines are encoded one by one, straight to where they are written from: to join them first would cost three times as much. */
  async #append(lines: readonly string[]): Promise<void> {
    await this.#open();
    this.#chunk ??= Buffer.allocUnsafeSlow(CHUNK);
    const chunk = this.#chunk;
    let filled = 0;
    for (const line of lines) {
      const most = mostBytes(line);
      if (filled + most > CHUNK || this.#size + filled + most > this.#max) {
        await this.#write(chunk, filled);
        filled = 0;
        if (most > CHUNK || this.#size + most > this.#max) {
          await this.#appendOne(`${line}\n`);
          continue;
        }
      }
      filled += chunk.write(line, filled);
      chunk[filled++] = NEW_LINE;
    }
    await this.#write(chunk, filled);
  }

  /** A line that may be too long for what is left of the file. */
  async #appendOne(line: string): Promise<void> {
    const bytes = Buffer.from(line);
    if (bytes.length > this.#max)
      throw new Error(`write length ${bytes.length} exceeds maximum file size ${this.#max}`);
    if (this.#size + bytes.length > this.#max) await this.#rotate();
    await this.#write(bytes, bytes.length);
  }

  async #write(bytes: Buffer, length: number): Promise<void> {
    const file = await this.#open();
    for (let from = 0; from < length; ) {
      const { bytesWritten } = await file.write(bytes, from, length - from);
      from += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  async #open(): Promise<FileHandle> {
    if (!this.#file) {
      this.#file = await open(this.#path, 'a', FILE_MODE);
      this.#size = (await this.#file.stat()).size;
    }
    return this.#file;
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await rename(this.#path, await this.#freeName());
    await this.#open();
    this.#tidying = this.#tidying
      .then(() => this.#tidy())
      .catch((error: unknown) => this.#options.log(`old files of ${this.#path}: ${messageOf(error)}`));
  }

  /** Of this moment, or the next that has no file yet. */
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

  /** Removes old files beyond number and age, and compresses the others. */
  async #tidy(): Promise<void> {
    const { maxBackups, maxDays, compress, clock } = this.#options;
    const old = await this.#oldFiles();
    const oldest = maxDays > 0 ? clock.now() - maxDays * DAY : Number.NEGATIVE_INFINITY;
    for (const [i, { file, time }] of old.entries()) {
      if ((maxBackups > 0 && i >= maxBackups) || time < oldest) await rm(file, { force: true });
      else if (compress && !file.endsWith('.gz')) await compressFile(file);
    }
  }

  /** The newest first. */
  async #oldFiles(): Promise<readonly { readonly file: string; readonly time: number }[]> {
    const folder = dirname(this.#path);
    const extension = extname(this.#path);
    const prefix = `${basename(this.#path, extension)}-`;
    const found: { file: string; time: number }[] = [];
    for (const name of await readdir(folder)) {
      const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
      if (!plain.startsWith(prefix) || !plain.endsWith(extension)) continue;
      const stamp = plain.slice(prefix.length, plain.length - extension.length);
      const parts = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp);
      if (parts) found.push({ file: join(folder, name), time: Date.parse(`${parts[1]}${parts.slice(2).join(':')}Z`) });
    }
    return found.sort((a, b) => b.time - a.time);
  }
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

/** Whole or not at all. */
async function compressFile(file: string): Promise<void> {
  const draft = `${file}.gz.tmp`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(draft, { mode: FILE_MODE }));
    await rename(draft, `${file}.gz`);
    await rm(file, { force: true });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
