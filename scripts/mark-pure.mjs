// A plug-in of esbuild that lets bundlers remove unused values, as `sideEffects: false` lets them remove unused modules: it marks the calls
// that create a value as pure. The annotation @__NO_SIDE_EFFECTS__ works only within one file in esbuild.
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

/** Returns a module with a table of structs (field-table.ts) without the spaces that align its columns. */
const narrow = (text, path) => (TABLE.test(path) ? text.replaceAll(/(?<=\S) {3,}/g, '  ') : text);

/** Returns the module with an annotation before each call that runs when the module is loaded, as part of a value. */
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

/** Returns the annotations and their positions, each position once. */
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
  // A spread or a template may call an iterator, a getter or toString, so the whole value is wrapped in one pure call.
  if (runsMore)
    return [
      [value.getStart(source), `${NOTE}(function () { return `],
      [value.end, '; })()'],
    ];
  return [...calls].map((at) => [at, NOTE]);
}
