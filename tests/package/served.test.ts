import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('README.md and docs/served.md list what the registry serves', () => {
  const script = fileURLToPath(new URL('../../scripts/served.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
