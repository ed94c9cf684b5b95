import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GrowthRow, growthOf, LIMIT } from './measure.js';

/*
 * No input may cause work that grows faster than the input. Each other file of this folder is a table of functions that read the input of
 * callers, by folder of src: `export const rows: GrowthRow[]`.
 */
const tables: [string, readonly GrowthRow[]][] = [];
for (const file of readdirSync(import.meta.dirname)) {
  if (file.endsWith('.test.ts')) continue;
  const { rows } = (await import(join(import.meta.dirname, file))) as { rows?: readonly GrowthRow[] };
  if (rows) tables.push([file, rows]);
}

describe('the measurement of growth', () => {
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => i * 7);
  it('detects a planted quadratic loop', { timeout: 120_000 }, async () => {
    const prepare = (n: number) => {
      const items = numbers(n);
      return () => items.filter((item, i) => items.indexOf(item + 1, i % 2) === n);
    };
    // Work that grows too fast is measured in all rounds, so a larger size would take too long.
    expect(await growthOf({ n: 1000, prepare })).toBeGreaterThan(LIMIT);
  });
  it('accepts linear time and sorting', { timeout: 120_000 }, async () => {
    const prepare = (n: number) => {
      const items = numbers(n);
      return () => [...new Set(items)].map(String).sort();
    };
    expect(await growthOf({ n: 5000, prepare })).toBeLessThan(LIMIT);
  });
});

for (const [file, rows] of tables) {
  describe(file.replace('.ts', ''), () => {
    it.each(rows.map((row) => [row.name, row] as const))('%s', { timeout: 120_000, retry: 3 }, async (_, row) => {
      expect(await growthOf(row)).toBeLessThan(LIMIT);
    });
  });
}
