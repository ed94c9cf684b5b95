// Makes the build smaller. Declarations are kept only for CommonJS; those of the modules re-export them, so that both have the same types.
// Their indentation is removed, because editors format types themselves. Modules are minified by a tool that keeps the pure annotations,
// which esbuild does not (tsup.config.ts), and the files of CommonJS without them. Names at the top level are kept, so that stack traces can
// be read.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify } from 'terser';
import { entryPoints } from '../entry-points.mjs';

/** In characters. */
const LINE = 320;

/** `import(name)`, but neither `import('name')` nor a method `import`, which is declared as async or called on an object. */
const COMPUTED_IMPORT = /(?<!async |\.)\bimport\((?!["'])/g;

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const entries = new Set(entryPoints().map(({ path }) => join(dist, `${path}.d.ts`)));
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (entries.has(file)) writeFileSync(file, `export * from './${basename(name, '.d.ts')}.cjs';\n`);
  else if (name.endsWith('.d.ts')) rmSync(file);
  else if (name.endsWith('.d.cts')) rewrite(file, (text) => text.replace(/^[ \t]+/gm, ''));
  else if (/\.c?js$/.test(name))
    writeFileSync(file, hideComputed(await short(readFileSync(file, 'utf8'), name.endsWith('.js'))));
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Hides imports of computed names from bundlers. Otherwise webpack bundles every file of the folder that such a name could mean. */
function hideComputed(text) {
  return text.replaceAll(COMPUTED_IMPORT, 'import(/* webpackIgnore: true */ /* @vite-ignore */ ');
}

/** @param isModule whether bundlers can leave out parts of the file, for which they need its annotations */
async function short(text, isModule) {
  const { code } = await minify(text, {
    module: isModule,
    ecma: 2022,
    compress: false,
    mangle: { module: false, toplevel: false },
    // Line breaks keep the lines in stack traces useful. Engines read plain ASCII fastest, and store it in half the memory.
    format: { comments: false, preserve_annotations: isModule, max_line_len: LINE, ascii_only: true },
  });
  // The minifier prints some annotations before `return`, where bundlers ignore them and print a warning.
  return code.replaceAll(/\/\* @__PURE__ \*\/(\s*return )/g, '$1/* @__PURE__ */');
}
