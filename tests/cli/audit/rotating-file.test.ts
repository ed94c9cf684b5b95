import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRotatingFile, type RotatingFileOptions } from '../../../src/cli/audit/rotating-file.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const clock = createFakeClock('2024-01-01T00:00:00Z');
const lines: string[] = [];
const open = (options: Partial<RotatingFileOptions> = {}) =>
  openRotatingFile(join(folder, 'logs', 'audit.log'), {
    maxMegabytes: 1,
    maxDays: 0,
    maxBackups: 0,
    compress: false,
    clock,
    log: (line) => void lines.push(line),
    ...options,
  });
const names = async () => (await readdir(join(folder, 'logs'))).sort();
/** The size of a number of complete lines. */
const block = (...texts: readonly string[]) => [Buffer.from(texts.map((text) => `${text}\n`).join(''))];
const half = (letter: string) => letter.repeat(600 * 1024);

describe('a log file', () => {
  it('exists from the start, is readable only by its owner, and grows', async () => {
    const file = await open();
    expect((await stat(join(folder, 'logs', 'audit.log'))).mode & 0o777).toBe(0o600);
    await Promise.all([file.write(block('a')), file.write(block('b', 'c'))]);
    await file.close();
    const again = await open();
    await again.write(block('d'));
    await again.close();
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe('a\nb\nc\nd\n');
  });

  it('is rotated when it is full, and no line is split', async () => {
    const file = await open();
    await file.write(block(half('a'), half('b')));
    clock.advance(1000);
    await file.write(block(half('c')));
    await file.close();
    const stamp = (text: string) => `audit-${text}.log`;
    const found = await names();
    expect(found).toHaveLength(3);
    expect(found[2]).toBe('audit.log');
    expect(found[0]).toMatch(/^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/);
    expect(found[1]).toBe(stamp(new Date(clock.now()).toISOString().slice(0, -1).replaceAll(':', '-')));
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe(`${half('c')}\n`);
  });

  it('keeps every rotated file if several rotations happen at once', async () => {
    const file = await open();
    await file.write(block(half('a'), half('b'), half('c'), half('d')));
    await file.close();
    expect(await names()).toHaveLength(4);
  });

  it('keeps as many rotated files as configured, and no older ones', async () => {
    const file = await open({ maxBackups: 2 });
    for (const letter of 'abcde') {
      clock.advance(1000);
      await file.write(block(half(letter)));
    }
    await file.close();
    expect(await names()).toHaveLength(3);
    clock.advance(3 * 86_400_000);
    const later = await open({ maxDays: 2 });
    await later.write(block(half('f')));
    await later.close();
    // This is the file that was rotated just now.
    expect(await names()).toHaveLength(2);
  });

  it('compresses rotated files', async () => {
    const file = await open({ compress: true });
    await file.write(block(half('a'), half('b')));
    await file.close();
    const [old = ''] = await names();
    expect(old).toMatch(/\.log\.gz$/);
    expect(gunzipSync(await readFile(join(folder, 'logs', old))).toString()).toBe(`${half('a')}\n`);
    expect(lines).toEqual([]);
  });

  it('removes the remains of a compression that crashed', async () => {
    const file = await open({ compress: true });
    await writeFile(join(folder, 'logs', 'audit-2023-12-31T00-00-00.000.log.gz.tmp'), 'half');
    await writeFile(join(folder, 'logs', 'notes.gz.tmp'), 'of somebody else');
    await file.write(block(half('a'), half('b')));
    await file.close();
    const [old = '', ...others] = await names();
    expect(old).toMatch(/\.log\.gz$/);
    expect(others).toEqual(['audit.log', 'notes.gz.tmp']);
    expect(lines).toEqual([]);
  });

  it('refuses a line that is longer than a file, and accepts the next one', async () => {
    const file = await open();
    await expect(file.write(block('x'.repeat(1024 * 1024 + 1)))).rejects.toThrow('exceeds maximum file size 1048576');
    await file.write(block('ok'));
    await file.close();
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe('ok\n');
  });

  it('rejects what it could not write, and continues when it can write again', async () => {
    const file = await open();
    await rm(join(folder, 'logs'), { recursive: true });
    await expect(file.write(block('lost'))).rejects.toThrow('no such file');
    await (await open()).close();
    await file.write(block('kept'));
    await file.close();
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe('kept\n');
  });

  it('never appends a line to a part of one, which a full disk or a killed process left', async () => {
    await (await open()).close();
    await writeFile(join(folder, 'logs', 'audit.log'), 'whole\npart of a li');
    const file = await open();
    await file.write(block('next'));
    await file.close();
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe('whole\npart of a li\nnext\n');
  });

  it('loses no line if the file was removed before it is rotated', async () => {
    const file = await open();
    await file.write(block(half('a')));
    await rm(join(folder, 'logs', 'audit.log'));
    await file.write(block(half('b')));
    await file.close();
    expect(await names()).toEqual(['audit.log']);
    expect(await readFile(join(folder, 'logs', 'audit.log'), 'utf8')).toBe(`${half('b')}\n`);
  });

  it.skipIf(process.platform === 'win32')('never replaces a pipe or a device (skipped on Windows)', async () => {
    await (await open()).close();
    await rm(join(folder, 'logs', 'audit.log'));
    await symlink('/dev/null', join(folder, 'logs', 'audit.log'));
    const file = await open();
    for (const letter of 'abc') await file.write(block(half(letter)));
    await file.close();
    expect(await names()).toEqual(['audit.log']);
  });

  it('is refused if it cannot be created', async () => {
    await expect(
      openRotatingFile('/dev/null/audit.log', {
        maxMegabytes: 0,
        maxDays: 0,
        maxBackups: 0,
        compress: false,
        clock,
        log: () => {},
      }),
    ).rejects.toThrow('ensureLogFile: ');
  });
});
