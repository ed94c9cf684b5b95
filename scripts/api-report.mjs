// Lists the public face of the package: for every entry point its exports with their signatures, sorted, without comments.
// Writes docs/api/report.md, or says with --check whether it is up to date. Made from the sources, so no build is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entryPoints } from './entry-points.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const REPORT = join(root, 'docs/api/report.md');
const COMMAND = 'npm run api-report';

/** The report as it should be. */
export function apiReport() {
  const entries = entryPoints().map(({ name, path }) => ({ name, file: join(root, `src/${path}.ts`) }));
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, removeComments: true },
  );
  const checker = program.getTypeChecker();
  const declarations = new Declarations(program);
  const homes = new Map();
  const sections = entries.map(({ name, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    const exported = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = exported.map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const home = homes.get(target);
      if (home !== undefined) return `// ${symbol.name}: see ${home}`;
      homes.set(target, name);
      const renamed = symbol.name === target.name ? '' : `// as ${symbol.name}\n`;
      return renamed + target.declarations.map((declaration) => declarations.textOf(declaration)).join('\n');
    });
    return `## ${name}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;
  });
  const names = new Set([...homes.keys()].map(({ name }) => name));
  const unnamed = [...declarations.mentioned].filter((name) => !names.has(name) && !isGlobal(checker, name)).sort();
  return `# The public face

Made by \`${COMMAND}\`; a test fails when it is not up to date.

${sections.join('\n')}
## Types that are mentioned above and have no name outside

${unnamed.map((name) => `- \`${name}\`\n`).join('')}`;
}

const isGlobal = (checker, name) =>
  checker.resolveName(name, undefined, ts.SymbolFlags.Type | ts.SymbolFlags.Namespace, false) !== undefined;

/** Declarations as the package's users get them: inferred types written out, no bodies, nothing private. */
class Declarations {
  #program;
  #files = new Map();
  /** Every name of a type in what was printed, but for type parameters and those of other packages. */
  mentioned = new Set();
  #printer = ts.createPrinter({ removeComments: true });

  constructor(program) {
    this.#program = program;
  }

  textOf(declaration) {
    const name = ts.getNameOfDeclaration(declaration)?.getText();
    const kind = ts.isVariableDeclaration(declaration) ? ts.SyntaxKind.VariableStatement : declaration.kind;
    const file = this.#emitted(declaration.getSourceFile());
    const all = file.statements.filter((statement) => statement.kind === kind && namesOf(statement).includes(name));
    // Overloads are one declaration each in the source, too: take the one of the same place.
    const place = declaration.symbol.declarations.filter((each) => each.kind === declaration.kind).indexOf(declaration);
    const found = all[place] ?? all[0];
    if (!found) throw new Error(`no declaration of ${name} in ${file.fileName}`);
    this.#collect(found, new Set());
    const text = this.#printer.printNode(ts.EmitHint.Unspecified, found, file);
    return text
      .replace(/^export (?:declare )?/, '')
      .replace(/ {4}/g, '  ')
      .replace(/import\("[^"]*"\)\./g, '');
  }

  #collect(node, bound) {
    const parameters = node.typeParameters?.map(({ name }) => name.text) ?? [];
    if (ts.isInferTypeNode(node)) parameters.push(node.typeParameter.name.text);
    if (ts.isMappedTypeNode(node)) parameters.push(node.typeParameter.name.text);
    for (const name of parameters) bound.add(name);
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && !bound.has(node.typeName.text))
      if (!this.#isForeign(node.typeName)) this.mentioned.add(node.typeName.text);
    if (ts.isExpressionWithTypeArguments(node)) this.mentioned.add(node.expression.getText());
    ts.forEachChild(node, (child) => this.#collect(child, bound));
  }

  /** Whether another package, or Node, gives the name. */
  #isForeign(name) {
    const imports = name.getSourceFile().statements.filter(ts.isImportDeclaration);
    return imports.some(
      ({ importClause, moduleSpecifier }) =>
        !moduleSpecifier.text.startsWith('.') &&
        importClause?.namedBindings?.elements?.some((element) => element.name.text === name.text),
    );
  }

  #emitted(source) {
    const known = this.#files.get(source);
    if (known) return known;
    let text = '';
    this.#program.emit(source, (name, content) => void (/\.d\.ts$/.test(name) && (text = content)), undefined, true);
    const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true);
    this.#files.set(source, file);
    return file;
  }
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return statement.name ? [statement.name.getText()] : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = apiReport();
  if (!process.argv.includes('--check')) writeFileSync(REPORT, report);
  else if (readFileSync(REPORT, 'utf8') !== report) {
    console.error(`docs/api/report.md is not up to date: ${COMMAND}, and look at what changed`);
    process.exitCode = 1;
  }
}
