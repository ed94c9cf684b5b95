// A plugin of esbuild that tells bundlers what `sideEffects: false` says of whole modules, for each value of a module too: a call
// that makes one can be left out where nobody uses the value. esbuild reads @__NO_SIDE_EFFECTS__ within one file only.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const NOTE = '/* @__PURE__ */ ';

/** @returns {import('esbuild').Plugin} */
export function markPure() {
  return {
    name: 'mark-pure',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: marked(readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}

/** The module with a note before each call that is made when it is loaded, as part of a value. */
function marked(text) {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, false);
  const places = new Set();
  const visit = (node) => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) places.add(node.getStart(source));
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements) if (ts.isVariableStatement(statement)) visit(statement);
  let result = text;
  for (const at of [...places].sort((a, b) => b - a)) result = result.slice(0, at) + NOTE + result.slice(at);
  return result;
}
