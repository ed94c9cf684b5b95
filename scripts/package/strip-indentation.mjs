// Takes the indentation out of what was built. Of the declarations it is two fifths, and editors show types in their own form;
// the modules keep their line breaks and the notes for bundlers (tsup.config.ts), as far as they have them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (/\.d\.c?ts$/.test(name)) rewrite(file, (text) => text.replace(/^[ \t]+/gm, ''));
  else if (name.endsWith('.js')) rewrite(file, withoutIndentation);
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
