import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { level } from '../../dist/exports/storage.js';
import { ApiServer, configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { nameOf, scattered, seededServer, where } from './seeded.mjs';

const SIZES = [1_000, 10_000];

async function filled(count) {
  const seeded = await seededServer();
  await seeded.fill(configMap, 'configmaps/default', kilobyte('c'), count);
  return seeded;
}
const folders = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export const subjects = {
  'start on a saved state, each object': {
    sizes: SIZES,
    async make(count) {
      const { server } = await filled(count);
      const saved = await server.save();
      await server.close();
      return {
        things: count,
        call: async () => {
          const started = new ApiServer({ dialect: 'k8s' });
          await started.load(saved);
          await started.start();
          await started.settle();
          await started.close();
        },
      };
    },
  },
  'start on a folder, each object': {
    sizes: SIZES,
    async make(count) {
      const folder = mkdtempSync(join(tmpdir(), 'growth-'));
      folders.push(folder);
      const open = () =>
        new ApiServer({ dialect: 'k8s', storage: level({ path: join(folder, 'data'), durability: 'process' }) });
      const { server } = await filled(count);
      const saved = await server.save();
      await server.close();
      const first = open();
      await first.load(saved);
      await first.start();
      await first.close();
      return {
        things: count,
        call: async () => {
          const again = open();
          await again.start();
          await again.settle();
          await again.close();
        },
      };
    },
  },
  'save of a state, each object': {
    sizes: SIZES,
    async make(count) {
      const { server } = await filled(count);
      return { things: count, call: () => server.save() };
    },
  },
  'fork and its first write': {
    sizes: SIZES,
    async make(count) {
      const { server } = await filled(count);
      const next = scattered(count);
      return {
        call: async () => {
          const fork = server.fork();
          await fork.client().patch(configMap, nameOf('c', next()), { data: { a: 'x' } }, where);
          await fork.close();
        },
      };
    },
  },
};
