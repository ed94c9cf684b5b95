// Takes the indentation out of the built declarations: it is two fifths of them, and editors show types in their own form.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.d\.c?ts$/.test(name)) continue;
  const file = join(dist, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^[ \t]+/gm, ''));
}
