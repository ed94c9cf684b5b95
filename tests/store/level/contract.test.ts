import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryLevel } from 'memory-level';
import { afterAll } from 'vitest';
import { level } from '../../../src/store/level/level.js';
import { runStorageContract } from '../../../src/testing/storage-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'level-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let number = 0;

runStorageContract('level() with memory-level', ({ history, ...wiring }) =>
  level({ database: new MemoryLevel(), history })(wiring),
);
for (const durability of ['process', 'machine'] as const)
  runStorageContract(`level() in a folder, durability ${durability}`, ({ history, ...wiring }) =>
    level({ path: join(folder, String(number++)), durability, history })(wiring),
  );
