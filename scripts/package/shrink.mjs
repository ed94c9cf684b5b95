// Makes what was built smaller. Declarations are kept once, for CommonJS: those of the modules pass them on, which is also what
// makes their types the same for who uses both. Indentation goes: editors show types in their own form, and the modules keep their
// line breaks and the notes for bundlers (tsup.config.ts).
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entryPoints } from '../entry-points.mjs';

/** Lines in which esbuild says what module follows. */
const MODULE_NAMES = /^\/\/ (?:src|node_modules)\/\S+\n/gm;
const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const entries = new Set(entryPoints().map(({ path }) => join(dist, `${path}.d.ts`)));
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (entries.has(file)) writeFileSync(file, `export * from './${basename(name, '.d.ts')}.cjs';\n`);
  else if (name.endsWith('.d.ts')) rmSync(file);
  else if (name.endsWith('.d.cts')) rewrite(file, (text) => text.replace(/^[ \t]+/gm, ''));
  else if (name.endsWith('.js')) rewrite(file, (text) => withoutIndentation(text.replace(MODULE_NAMES, '')));
}

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Lines within template literals stay as they are; no other token of a module that was built goes over several lines. */
function withoutIndentation(text) {
  const inTemplates = templatesOf(text);
  let next = 0;
  return text.replace(/^[ \t]+/gm, (spaces, at) => {
    while (inTemplates[next]?.end <= at) next++;
    return inTemplates[next]?.pos < at ? spaces : '';
  });
}

/** Where template literals stand, in order. */
function templatesOf(text) {
  const found = [];
  const visit = (node) => {
    if (ts.isTemplateLiteralToken(node)) found.push({ pos: node.getStart(source), end: node.end });
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  visit(source);
  return found.sort((a, b) => a.pos - b.pos);
}
