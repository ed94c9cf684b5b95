// A plugin of esbuild that tells bundlers what `sideEffects: false` says of whole modules, for each value of a module too: a call
// that makes one can be left out where nobody uses the value. esbuild reads @__NO_SIDE_EFFECTS__ within one file only.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const NOTE = '/* @__PURE__ */ ';
const TABLE = /(?:\/meta-v1|\/core-v1\/[\w-]+|resources\/(\w+)\/\1-v\w+)\.ts$/;

export function markPure() {
  return {
    name: 'mark-pure',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: marked(narrow(readFileSync(path, 'utf8'), path)),
        loader: 'ts',
      }));
    },
  };
}

/** A module with a table of structs (field-table.ts) without the spaces that only put its columns under each other. */
const narrow = (text, path) => (TABLE.test(path) ? text.replaceAll(/(?<=\S) {3,}/g, '  ') : text);

/** The module with a note before each call that is made when it is loaded, as part of a value. */
function marked(text) {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, false);
  const additions = [];
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement))
      for (const { initializer } of statement.declarationList.declarations)
        if (initializer) additions.push(...notesFor(initializer, source));
  let result = text;
  for (const [at, added] of additions.sort(([a], [b]) => b - a))
    result = result.slice(0, at) + added + result.slice(at);
  return result;
}

/** What to write where; each place once. */
function notesFor(value, source) {
  const calls = new Set();
  let runsMore = false;
  const visit = (node) => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) calls.add(node.getStart(source));
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node) || ts.isTemplateExpression(node)) runsMore = true;
    ts.forEachChild(node, visit);
  };
  visit(value);
  // To spread or to make text may call an iterator, a getter, toString: then the whole value is made one call.
  if (runsMore)
    return [
      [value.getStart(source), `${NOTE}(function () { return `],
      [value.end, '; })()'],
    ];
  return [...calls].map((at) => [at, NOTE]);
}
