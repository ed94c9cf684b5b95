// Makes what was built smaller. Declarations are kept once, for CommonJS: those of the modules pass them on, which is also what
// makes their types the same for who uses both; their indentation goes, as editors show types in their own form. Modules are written
// short by a tool that keeps the notes for bundlers, which esbuild does not (tsup.config.ts); what they name at the top keeps its
// name, so that stack traces can be read.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify } from 'terser';
import { entryPoints } from '../entry-points.mjs';

/** Characters. */
const LINE = 160;

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const entries = new Set(entryPoints().map(({ path }) => join(dist, `${path}.d.ts`)));
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (entries.has(file)) writeFileSync(file, `export * from './${basename(name, '.d.ts')}.cjs';\n`);
  else if (name.endsWith('.d.ts')) rmSync(file);
  else if (name.endsWith('.d.cts')) rewrite(file, (text) => text.replace(/^[ \t]+/gm, ''));
  else if (name.endsWith('.js')) writeFileSync(file, await short(readFileSync(file, 'utf8')));
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

async function short(text) {
  const { code } = await minify(text, {
    module: true,
    ecma: 2022,
    compress: false,
    mangle: { module: false, toplevel: false },
    // Whoever sees an error sees its line, too.
    // Engines read plain ASCII fastest, and keep it in half the memory.
    format: { comments: false, preserve_annotations: true, max_line_len: LINE, ascii_only: true },
  });
  return code;
}
