import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { MemoryLevel } from 'memory-level';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LevelOptions, level } from '../../../src/store/level/level.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { FaultyLevel } from '../../support/faulty-level.js';

interface Thing {
  readonly n: number;
}
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'opening-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const open = (options: LevelOptions = { path }) =>
  level(options)<Thing>({ clock: createFakeClock(), stamp: (value) => value, equals: () => false });
type Store = Awaited<ReturnType<typeof open>>;
const put = (store: Store, key: string, n = 0) => store.guaranteedUpdate(key, () => ({ action: 'put', value: { n } }));
const logFile = () => join(path, readdirSync(path).find((name) => name.endsWith('.log')) ?? '');

const manifest = () => readdirSync(path).find((name) => name.startsWith('MANIFEST')) ?? '';

/** Changes the database directly, without the store. */
async function within(change: (database: ClassicLevel) => Promise<unknown>): Promise<void> {
  const database = new ClassicLevel(path);
  await database.open();
  await change(database);
  await database.close();
}
async function filled(): Promise<void> {
  const store = await open();
  for (let n = 0; n < 20; n++) await put(store, `/${n % 8}`, n);
  await store.close();
}
const keyOf = async (database: ClassicLevel, revision: number) => {
  const [key = ''] = await database.keys({ gt: `v${String(revision).padStart(16, '0')}`, limit: 1 }).all();
  return key;
};

describe('level()', () => {
  it.skipIf(process.platform === 'win32')(
    'creates its folder for its owner alone, and keeps the mode of an existing one',
    async () => {
      const before = process.umask(0);
      try {
        const [absent, existing] = [join(path, 'new', 'db'), join(path, 'existing')];
        mkdirSync(existing, { mode: 0o750 });
        for (const folder of [absent, existing]) await (await open({ path: folder })).close();
        const modes = [absent, dirname(absent), existing].map((folder) => statSync(folder).mode & 0o777);
        expect(modes).toEqual([0o700, 0o700, 0o750]);
      } finally {
        process.umask(before);
      }
    },
  );

  it.each([
    [{}, 'level(): give either path or database'],
    [{ path: 'a', database: new MemoryLevel() }, 'level(): give either path or database'],
    [{ path: '' }, 'level(): path must not be empty'],
    [{ path: 'a', durability: 'disk' as never }, `level(): durability must be 'process' or 'machine', not "disk"`],
    [{ path: 'a', sync: true } as never, 'level(): there is no option sync'],
    [{ path: 'a', history: { maxAge: 1 } as never }, 'level(): history: there is no option maxAge'],
  ])('refuses %j', (options, message) => {
    expect(() => level(options)).toThrow(message);
  });
  it('refuses a key that the database could confuse with another', async () => {
    const store = await open({ database: new MemoryLevel() });
    await expect(put(store, '/a\ud800')).rejects.toThrow(TypeError);
    expect((await put(store, '/😀')).entry?.key).toBe('/😀');
    await store.close();
  });
});

describe('opening a folder', () => {
  it('is refused while another server of the process uses it under another name', async () => {
    const store = await open();
    const link = `${path}-link`;
    symlinkSync(path, link);
    try {
      for (const name of [`${path}/.`, link, relative('.', path)])
        await expect(open({ path: name })).rejects.toThrow(`${name} is in use by another process`);
    } finally {
      rmSync(link);
      await store.close();
    }
  });
  it('is refused while another server uses it', async () => {
    const store = await open();
    await expect(open()).rejects.toThrow(`${path} is in use by another process: stop that one or name another folder`);
    await put(store, '/a');
    await store.close();
    const next = await open();
    expect(next.count('')).toBe(1);
    await next.close();
  });
  it('is refused for a newer format, and does not change it', async () => {
    await filled();
    await within((database) => database.put('!format', '2'));
    await expect(open()).rejects.toThrow(
      'it has format 2, and this release reads format 1: use the release that wrote it',
    );
    await within(async (database) => expect(await database.get('!opened')).toBe('1'));
  });
  it('is refused for the data of another program', async () => {
    await within((database) => database.put('users/1', 'somebody'));
    await expect(open()).rejects.toThrow(`${path} cannot be used: it has the data of another program`);
  });
  it('is refused for a file', async () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    await expect(open({ path: file })).rejects.toThrow(`${file} cannot be opened`);
  });
  it.skipIf(process.getuid?.() === 0)('is refused if the folder is not writable', async () => {
    await filled();
    chmodSync(path, 0o500);
    await expect(open()).rejects.toThrow(`${path} cannot be written`);
    chmodSync(path, 0o700);
  });
  it.each([
    ['Read-only file system', 'the database cannot be written (IO error: Read-only file system)'],
    ['No space left on device', 'the database cannot be opened: the disk is full (IO error: No space left on device)'],
    ['Input/output error', 'the database cannot be opened: IO error: Input/output error'],
  ])('reports %s', async (problem, message) => {
    const database = new FaultyLevel();
    database.fault = new Error('Database failed to open', { cause: new Error(`IO error: ${problem}`) });
    await expect(open({ database })).rejects.toThrow(message);
  });
});

describe('a damaged folder', () => {
  it('loses only what was not flushed if its log is incomplete', async () => {
    await filled();
    const file = logFile();
    truncateSync(file, statSync(file).size - 7);
    const store = await open();
    // Only the record of the last write is torn. All earlier writes are present.
    expect([store.revision, store.compactRevision, store.get('/3')?.value.n]).toEqual([20, 1, 11]);
    expect((await put(store, '/3', 100)).entry?.revision).toBe(21);
    await store.close();
    const next = await open();
    expect(next.get('/3')?.value.n).toBe(100);
    await next.close();
  });
  it.each([1, 40])('is refused if the value of a record has changed (%i from its end)', async (back) => {
    await filled();
    await within(async (database) => {
      const key = await keyOf(database, 12);
      const text = (await database.get(key)) ?? '';
      const at = Math.max(0, text.length - back);
      await database.put(key, `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`);
    });
    await expect(open()).rejects.toThrow(`${path} cannot be used: the record of revision 12, /2, is damaged`);
  });
  it('is refused if a record is stored under another key', async () => {
    await filled();
    await within(async (database) => {
      const [one, other] = [await keyOf(database, 12), await keyOf(database, 13)];
      await database.put(one, (await database.get(other)) ?? '');
    });
    await expect(open()).rejects.toThrow('the record of revision 12, /2, is damaged');
  });
  it('is refused if writes are missing', async () => {
    await filled();
    await within(async (database) => {
      for (const revision of [12, 13]) await database.del(await keyOf(database, revision));
    });
    await expect(open()).rejects.toThrow('the writes of the revisions 12 to 13 are missing');
  });
  it('is refused if an old object is missing', async () => {
    const options = { path, history: { maxEvents: 10 } };
    const store = await open(options);
    await put(store, '/first');
    await Promise.all(Array.from({ length: 600 }, (_, n) => put(store, `/${n}`)));
    await put(store, '/last');
    await store.close();
    await within(async (database) => database.del(await keyOf(database, 2)));
    await expect(open(options)).rejects.toThrow(/\d+ objects were stored at revision \d+, \d+ are there/);
  });
  it.each([
    ['CURRENT is missing', () => rmSync(join(path, 'CURRENT')), 'the file CURRENT is missing'],
    ['its log is missing', () => rmSync(logFile()), 'the log is missing'],
    [
      'its log has the content of another file',
      () => writeFileSync(logFile(), readFileSync(join(path, manifest()))),
      `${'0'.repeat(5)}\\d\\.log is not a log`,
    ],
  ])('is refused if %s, and stays as it is', async (_, damage, reason) => {
    await filled();
    damage();
    const names = () => readdirSync(path).filter((name) => !name.startsWith('LO'));
    const before = names();
    await expect(open()).rejects.toThrow(
      new RegExp(`^${path} is damaged \\(${reason}\\): replace it by a copy made earlier$`),
    );
    expect(names()).toEqual(before);
  });
  it.each([false, true])('is begun anew if its creation was interrupted (with CURRENT: %s)', async (hasCurrent) => {
    await (await open()).close();
    const source = readFileSync(join(path, manifest()));
    for (const name of readdirSync(path)) if (name !== 'CURRENT') rmSync(join(path, name));
    writeFileSync(join(path, 'MANIFEST-000001'), source);
    if (hasCurrent) writeFileSync(join(path, 'CURRENT'), 'MANIFEST-000001\n');
    else rmSync(join(path, 'CURRENT'));
    const store = await open();
    expect(store.revision).toBe(1);
    await store.close();
  });
  it('is refused if a table file is damaged', async () => {
    const store = await open();
    await Promise.all(
      Array.from({ length: 3000 }, (_, n) =>
        store.guaranteedUpdate(`/${n}`, () => ({ action: 'put', value: { n, random: Math.random() } as Thing })),
      ),
    );
    await store.close();
    await within((database) => database.compactRange('!', '~'));
    const table = join(path, readdirSync(path).find((name) => name.endsWith('.ldb')) ?? '');
    const bytes = readFileSync(table);
    for (let i = 0; i < 8; i++) bytes[(bytes.length >> 1) + i] = (bytes[(bytes.length >> 1) + i] ?? 0) ^ 0xff;
    writeFileSync(table, bytes);
    await expect(open()).rejects.toThrow(/damaged|missing|cannot be/);
    rmSync(table);
    await expect(open()).rejects.toThrow(`${path} is damaged`);
  });
});
