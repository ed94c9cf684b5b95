import { MemoryLevel } from 'memory-level';
import { expect, it } from 'vitest';
import { ApiServer } from '../../src/index.js';
import { level } from '../../src/store/level/level.js';

const openWith = async (database: MemoryLevel, dialect: 'orch' | 'k8s') => {
  await using server = new ApiServer({ dialect, storage: level({ database }) });
  await server.start();
};

it.each([
  ['orch', 'k8s'],
  ['k8s', 'orch'],
] as const)(
  'refuses to start in dialect %s with the data of dialect %s, and does not change the data',
  async (mine, other) => {
    const database = new MemoryLevel();
    await openWith(database, other);
    await expect(openWith(database, mine)).rejects.toThrow(
      `the storage contains objects of the dialect ${other}, such as apiservices in apiregistration.${other === 'k8s' ? 'k8s' : 'orch'}.io/v1: start with the dialect ${other}, or use another storage`,
    );
    await openWith(database, other);
  },
);
