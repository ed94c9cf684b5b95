import { cpSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryLevel } from 'memory-level';
import { afterAll, beforeAll } from 'vitest';
import { level } from '../../../src/store/level/level.js';
import type { Durability } from '../../../src/store/level/level-backend.js';
import type { Storage } from '../../../src/store/storage.js';
import {
  type DurablePlace,
  runDurableStorageContract,
  runStorageContract,
  type StoredSample,
} from '../../../src/testing/vitest/index.js';

let folder: string;
let number = 0;
const newPath = () => join(folder, String(number++));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'level-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies an open folder. LevelDB removes files in the background, so a copy that fails for this reason is repeated. */
function copyOf(path: string): string {
  for (;;) {
    const [before, copy] = [readdirSync(path).join(), newPath()];
    try {
      cpSync(path, copy, { recursive: true });
      if (readdirSync(path).join() === before) return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** A killed process leaves the files as they are at that moment, so a copy of the open folder is what the next process finds. */
function inFolder(durability: Durability): DurablePlace {
  let path = newPath();
  const left: Storage<StoredSample>[] = [];
  return {
    async open({ history, ...wiring }) {
      const store = await level({ path, durability, history })(wiring);
      left.push(store);
      return store;
    },
    async crash() {
      path = copyOf(path);
      for (const store of left.splice(0)) await store.close();
    },
  };
}

/** A database in memory is copied within one turn of the event loop, so no write can change it meanwhile. */
function inMemory(): DurablePlace {
  let database = new MemoryLevel<string, string>();
  return {
    open: ({ history, ...wiring }) => level({ database, history })(wiring),
    async crash() {
      const old = database;
      const contents = await old.iterator().all();
      database = new MemoryLevel<string, string>();
      await database.batch(contents.map(([key, value]) => ({ type: 'put', key, value })));
      await old.close();
    },
  };
}

runStorageContract('level() with memory-level', ({ history, ...wiring }) =>
  level({ database: new MemoryLevel(), history })(wiring),
);
runDurableStorageContract('level() with memory-level', inMemory);
for (const durability of ['process', 'machine'] as const) {
  runStorageContract(`level() in a folder, durability ${durability}`, ({ history, ...wiring }) =>
    level({ path: newPath(), durability, history })(wiring),
  );
  runDurableStorageContract(`level() in a folder, durability ${durability}`, () => inFolder(durability));
}
