import { relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/*
 * A flow that is called and not used does nothing at all, and neither the compiler nor the linter reports it: admission could be skipped
 * unnoticed. So each call of a flow must be run, delegated to with `yield*`, or passed on as a flow.
 */
const root = resolve(import.meta.dirname, '..');

/** Returns the calls whose flow is not used, as `file:line`. */
function dropped(names: readonly string[], options: ts.CompilerOptions, host?: ts.CompilerHost): string[] {
  const program = ts.createProgram(names, options, host);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => !/node_modules|\.d\.ts$/.test(fileName));
  const flows = new Set(files.flatMap(flowNames));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      flows.has(nameOf(node.expression)) &&
      isFlow(node, checker) &&
      !isTaken(node, checker)
    ) {
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(root, file.fileName)}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return found;
}

/** Returns the names of functions that return a flow according to their written type, so that the type checker has to check only their calls. */
function flowNames(file: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.type?.getText().startsWith('Flow<')) {
      const { name } =
        ts.isFunctionTypeNode(node) && 'name' in node.parent ? (node.parent as ts.NamedDeclaration) : node;
      if (name) names.push(name.getText());
    }
    ts.forEachChild(node, visit);
  };
  if (file.text.includes('Flow<')) visit(file);
  return names;
}

const nameOf = (callee: ts.Expression): string =>
  ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';

const isFlow = (node: ts.Node, checker: ts.TypeChecker): boolean =>
  checker.getTypeAtLocation(node).aliasSymbol?.name === 'Flow';

function isTaken(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
  let node: ts.Node = call;
  while (ts.isParenthesizedExpression(node.parent) || ts.isConditionalExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isYieldExpression(parent)) return parent.asteriskToken !== undefined;
  if (ts.isReturnStatement(parent)) return true;
  if (ts.isArrowFunction(parent)) return parent.body === node;
  if (!ts.isCallExpression(parent) || !ts.isExpression(node)) return false;
  // The function accepts a flow as this argument.
  const wanted = checker.getContextualType(node);
  return wanted?.aliasSymbol?.name === 'Flow';
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

describe('flows', () => {
  it('are never called without using their result', () => {
    expect(dropped([resolve(root, 'src/index.ts'), resolve(root, 'src/http/index.ts')], OPTIONS)).toEqual([]);
  }, 300_000);

  it('that are dropped are detected', () => {
    const file = resolve(root, 'tests/planted.ts');
    const text = `import { type Flow, run, settled } from '../src/meta/flow.js';
      function* check(): Flow<void> { yield* settled(undefined); }
      export function* write(): Flow<void> {
        check();
        const forgotten = check();
        yield* check();
        run(check());
        return yield* check();
      }`;
    const host = ts.createCompilerHost(OPTIONS);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (name) => name === file || fileExists(name);
    host.readFile = (name) => (name === file ? text : readFile(name));
    host.getSourceFile = (name, ...rest) =>
      name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true) : getSourceFile(name, ...rest);
    expect(dropped([file], OPTIONS, host)).toEqual(['tests/planted.ts:4', 'tests/planted.ts:5']);
  }, 60_000);
});
