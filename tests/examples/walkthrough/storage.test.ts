import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, configMap } from 'orch-apiserver';
import { runStorageContract } from 'orch-apiserver/testing/vitest';
import { afterAll, expect, it } from 'vitest';
import { LogFile, logFile } from '../../../examples/walkthrough/storage.js';

const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.log`);

// The requirements for every storage: revisions, pages, watches, races, compaction, closing.
runStorageContract('LogFile', (options) => new LogFile(newFile(), options));

it('restores everything after a restart, except for a write that was interrupted', async () => {
  const path = newFile();
  const where = { namespace: 'default' };
  const before = new ApiServer({ storage: logFile(path) });
  await before.start();
  const made = await before.client().create(configMap, { metadata: { name: 'kept' }, data: { a: '1' } }, where);
  await before.client().create(configMap, { metadata: { name: 'gone' } }, where);
  await before.client().delete(configMap, 'gone', where);
  await before.close();
  appendFileSync(path, '{"type":"put","key":"/configm');

  for (let restart = 0; restart < 2; restart++) {
    const after = new ApiServer({ storage: logFile(path) });
    await after.start();
    expect(await after.client().get(configMap, 'kept', where)).toEqual(made);
    const { items } = await after.client().list(configMap, where);
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('gone');
    await after.close();
  }
});
