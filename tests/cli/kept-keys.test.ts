import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptKeys } from '../../src/cli/kept-keys.js';
import { parseFlags } from '../../src/cli/parse-flags.js';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const kept = (folder: string) => keptKeys(parseFlags([`--cert-dir=${folder}`]).values);

describe('--cert-dir', () => {
  it('keeps what only its owner may read, and nothing else', async () => {
    const folder = join(parent, 'new');
    const first = await kept(folder);
    expect(readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key', 'sa.key']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await kept(folder)).toEqual(first);
  });

  it.skipIf(process.platform === 'win32')('is refused where everybody may write', async () => {
    chmodSync(parent, 0o777);
    await expect(kept(parent)).rejects.toThrow(`--cert-dir ${parent}: everybody may write to this folder`);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('does not write through a link that somebody left in its place', async () => {
    const victim = join(parent, 'victim');
    const folder = join(parent, 'keys');
    await kept(folder);
    rmSync(join(folder, 'sa.key'));
    symlinkSync(victim, join(folder, 'sa.key'));
    const { accountKey } = await kept(folder);
    expect(accountKey).toContain('PRIVATE KEY');
    expect(readdirSync(parent)).toEqual(['keys']);
  });

  it('is refused with half of an authority', async () => {
    writeFileSync(join(parent, 'ca.crt'), '');
    await expect(kept(parent)).rejects.toThrow('belong together');
  });
});
