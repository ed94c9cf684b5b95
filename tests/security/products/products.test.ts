import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { closeAfterTest, openServer } from '../../support/servers.js';
import { type Cost, clientOf, costOf, type Product, yardstick } from './measure.js';

/*
 * Two sizes that one caller chooses may multiply, but no more: doubling both costs four times as much. The largest accepted pair blocks
 * the event loop for less than a second, or is refused. Each other file of this folder is a table of such pairs.
 */
const tables: [string, readonly Product[]][] = [];
for (const file of readdirSync(import.meta.dirname)) {
  if (file.endsWith('.test.ts')) continue;
  const { products } = (await import(join(import.meta.dirname, file))) as { products?: readonly Product[] };
  if (products) tables.push([file.replace('.ts', ''), products]);
}

/** Four, and what caches and collections of garbage add to the larger one; a product of three would be eight. */
const LIMIT = 6.5;
const ATTEMPTS = 8;
/** Milliseconds below which the constant part of a request is measured. */
const ENOUGH = 3;

/** A file that gets the rows of the table in docs/decisions, with milliseconds of the longest turn and in all. */
const TABLE = process.env['PRODUCTS_TABLE'];

let second: number;
beforeAll(() => {
  second = yardstick();
});

async function costAt(product: Product, a: number, b: number): Promise<Cost> {
  const server = closeAfterTest(await openServer({ authorization: [rbac()], ...product.options }));
  const client = clientOf(server);
  try {
    return await costOf(client, await product.prepare(client, a, b));
  } finally {
    client.close();
    await server.close();
  }
}

async function growthOf(product: Product): Promise<number> {
  const [a, b] = product.small;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    least = Math.min(least, (await costAt(product, a, b)).total);
    most = Math.min(most, (await costAt(product, 2 * a, 2 * b)).total);
    if (attempt > 0 && most / Math.max(least, ENOUGH) < LIMIT) break;
  }
  return most / Math.max(least, ENOUGH);
}

for (const [table, products] of tables) {
  describe(table, () => {
    describe.each(products.map((product) => [product.name, product] as const))('%s', (_, product) => {
      it('takes at most four times as long when both sizes double', { timeout: 180_000 }, async () => {
        expect(await growthOf(product)).toBeLessThan(LIMIT);
      });
      it('blocks the event loop for less than a second', { timeout: 180_000, retry: 1 }, async () => {
        const { status, longestTurn, total } = await costAt(product, ...product.largest);
        const shown = [
          product.name,
          product.largest.join(' x '),
          product.bounds,
          status,
          Math.round(longestTurn),
          Math.round(total),
        ];
        if (TABLE !== undefined)
          appendFileSync(
            TABLE,
            `| ${shown.join(' | ')} |
`,
          );
        expect(status).toBe(product.status);
        expect(longestTurn).toBeLessThan(second);
      });
    });
  });
}
