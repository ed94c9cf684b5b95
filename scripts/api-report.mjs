// Lists the public API of the package: for every entry point, its exports with their signatures, sorted. docs/api/report.md has them
// without comments, for reviews. The pages beside it, one for each entry point, have the docstrings and are not in the repository. With
// --check it only reports whether the report is up to date. It reads the sources, so no build is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { entryPoints } from './entry-points.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(root, 'docs/api');
const COMMAND = 'npm run api-report';
const REPORT = 'report.md';

/** Returns the pages, by file name. */
function apiPages() {
  const entries = entryPoints().map(({ name, path }) => ({ name, file: join(root, `src/${path}.ts`) }));
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, removeComments: false },
  );
  const checker = program.getTypeChecker();
  const declarations = new Declarations(program);
  const homes = new Map();
  const pages = new Map();
  const sections = entries.map(({ name, file }) => {
    const source = program.getSourceFile(file);
    const module = checker.getSymbolAtLocation(source);
    const documented = [];
    const exported = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = exported.map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const home = homes.get(target);
      if (home !== undefined) {
        documented.push(`### ${symbol.name}\n\nSee [${home}](${pageOf(home)}).\n`);
        return `// ${symbol.name}: see ${home}`;
      }
      homes.set(target, name);
      const renamed = symbol.name === target.name ? '' : `// as ${symbol.name}\n`;
      const doc = ts.displayPartsToString(target.getDocumentationComment(checker)).trim();
      const text = target.declarations.map((declaration) => declarations.textOf(declaration, true)).join('\n');
      documented.push(
        `### ${symbol.name}\n\n${doc === '' ? '' : `${doc}\n\n`}\`\`\`ts\n${renamed}${shortened(text)}\n\`\`\`\n`,
      );
      return renamed + target.declarations.map((declaration) => declarations.textOf(declaration)).join('\n');
    });
    pages.set(
      pageOf(name),
      `# ${name}\n\n${introOf(source)}Made by \`${COMMAND}\` from the docstrings.\n\n${documented.join('\n')}`,
    );
    return `## ${name}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;
  });
  const names = new Set([...homes.keys()].map(({ name }) => name));
  const unnamed = [...declarations.mentioned].filter((name) => !names.has(name) && !isGlobal(checker, name)).sort();
  const index = entries.map(({ name }) => `- [${name}](${pageOf(name)})\n`).join('');
  pages.set(
    'README.md',
    `# API reference\n\nOne page for each entry point, made by \`${COMMAND}\` from the docstrings.\n\n${index}`,
  );
  pages.set(
    REPORT,
    `# The public face

Made by \`${COMMAND}\`; a test fails when it is not up to date.

${sections.join('\n')}
## Types that are mentioned above and have no name outside

${unnamed.map((name) => `- \`${name}\`\n`).join('')}`,
  );
  return pages;
}

/** The maximum length of an inferred type that is printed in full; longer ones are truncated. */
const MAX_LINES = 80;
const shortened = (text) => {
  const lines = text.split('\n');
  if (lines.length <= MAX_LINES) return text;
  return [...lines.slice(0, MAX_LINES), `// … and ${lines.length - MAX_LINES} lines more`].join('\n');
};

/** `orch-apiserver/testing/vitest` -> `testing-vitest.md`; the main entry point is `orch-apiserver.md`. */
const pageOf = (name) => `${name.split('/').slice(1).join('-') || name}.md`;

/** Returns the comment at the head of an entry point. */
function introOf(source) {
  const [range] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const text = range ? source.text.slice(range.pos, range.end) : '';
  if (!text.startsWith('/**')) return '';
  const lines = text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim());
  return `${lines.filter((line) => line !== '').join('\n')}\n\n`;
}

const isGlobal = (checker, name) =>
  checker.resolveName(name, undefined, ts.SymbolFlags.Type | ts.SymbolFlags.Namespace, false) !== undefined;

/** Prints declarations as users of the package see them: with inferred types, without bodies and private members. */
class Declarations {
  #program;
  #files = new Map();
  /** The names of all types that were printed, except type parameters and types of other packages. */
  mentioned = new Set();
  #printer = ts.createPrinter({ removeComments: true });
  #commenting = ts.createPrinter({ removeComments: false });

  constructor(program) {
    this.#program = program;
  }

  /** @param comments whether members keep their docstrings; that of the declaration itself is removed. */
  textOf(declaration, comments = false) {
    const name = ts.getNameOfDeclaration(declaration)?.getText();
    const kind = ts.isVariableDeclaration(declaration) ? ts.SyntaxKind.VariableStatement : declaration.kind;
    const file = this.#emitted(declaration.getSourceFile());
    const all = file.statements.filter((statement) => statement.kind === kind && namesOf(statement).includes(name));
    // Each overload is a declaration in the source, too, at the same position.
    const place = declaration.symbol.declarations.filter((each) => each.kind === declaration.kind).indexOf(declaration);
    const found = all[place] ?? all[0];
    if (!found) throw new Error(`no declaration of ${name} in ${file.fileName}`);
    this.#collect(found, new Set());
    const printer = comments ? this.#commenting : this.#printer;
    const text = printer.printNode(ts.EmitHint.Unspecified, found, file).replace(/^\/\*\*[\s\S]*?\*\/\s*/, '');
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

  /** Returns whether another package, or Node, declares the name. */
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

const made = apiPages();
if (process.argv.includes('--check')) {
  if (readFileSync(join(FOLDER, REPORT), 'utf8') !== made.get(REPORT)) {
    console.error(`docs/api/${REPORT} is not up to date: ${COMMAND}, and look at what changed`);
    process.exitCode = 1;
  }
} else {
  for (const [file, text] of made) writeFileSync(join(FOLDER, file), text);
}
