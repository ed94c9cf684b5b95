import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** The names in a module. */
interface Module {
  /** The declarations, with the names that each mentions; '' is the code that runs when the module is loaded. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** The imported names by their local name: the file, and the exported name ('*' for the namespace). */
  readonly imported: ReadonlyMap<string, Target>;
  /** The exported names and their origin; a local declaration has no file. */
  readonly exported: ReadonlyMap<string, { readonly file?: string; readonly name: string }>;
  /** The declarations that are interfaces and types. */
  readonly types: ReadonlySet<string>;
  /** The files that are re-exported completely. */
  readonly passed: readonly string[];
}
interface Target {
  readonly file: string;
  readonly name: string;
}

/** Computes which declarations of some modules are reachable from others, by names only and without types. */
export class Reachable {
  readonly #modules = new Map<string, Module>();
  readonly #seen = new Set<string>();
  /** The exports that a declaration mentions in other modules. */
  readonly #crossed = new Set<string>();

  /** @param texts the modules by their path. */
  constructor(texts: ReadonlyMap<string, string>, entries: readonly string[]) {
    for (const [file, text] of texts) this.#modules.set(file, read(file, text));
    for (const file of entries) this.#reachAll(file);
  }

  /** Returns the declarations that no reachable declaration mentions, as `file: name`. */
  unreached(): string[] {
    return this.#list(({ declared }) => [...declared.keys()].filter((name) => name !== '')).filter(
      (id) => !this.#seen.has(id),
    );
  }

  /** Returns the exported functions and constants that no other module uses, as `file: name`. */
  needless(): string[] {
    return this.#list(({ exported, types }) => [...exported.keys()].filter((name) => !types.has(name))).filter(
      (id) => !this.#crossed.has(id),
    );
  }

  #list(namesOf: (module: Module) => readonly string[]): string[] {
    return [...this.#modules].flatMap(([file, module]) => namesOf(module).map((name) => `${file}: ${name}`));
  }

  #reachAll(file: string): void {
    const module = this.#modules.get(file);
    for (const name of module?.exported.keys() ?? []) this.#reachExport({ file, name });
    for (const passed of module?.passed ?? []) this.#reachAll(passed);
    this.#reach(file, '');
  }

  #reachExport({ file, name }: Target): void {
    const module = this.#modules.get(file);
    if (module === undefined) return;
    if (name === '*') {
      this.#reachAll(file);
      return;
    }
    const source = module.exported.get(name);
    if (source === undefined) {
      for (const passed of module.passed) this.#reachExport({ file: passed, name });
      return;
    }
    this.#crossed.add(`${file}: ${name}`);
    if (source.file !== undefined) this.#reachExport({ file: source.file, name: source.name });
    else this.#reach(file, source.name);
    this.#reach(file, '');
  }

  #reach(file: string, name: string): void {
    const id = `${file}: ${name}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const module = this.#modules.get(file);
    for (const mentioned of module?.declared.get(name) ?? []) {
      const target = mentioned.startsWith('./')
        ? { file: mentioned.slice(2), name: '*' }
        : module?.imported.get(mentioned);
      if (target) this.#reachExport(target);
      else if (module?.declared.has(mentioned)) this.#reach(file, mentioned);
    }
  }
}

/** Returns the modules of a folder. */
export function readModules(root: string): Map<string, string> {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]));
}

function read(file: string, text: string): Module {
  const source = ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.ES2022,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone, // This takes three quarters of the time.
  });
  const declared = new Map<string, string[]>([['', []]]);
  const imported = new Map<string, Target>();
  const exported = new Map<string, { file?: string; name: string }>();
  const passed: string[] = [];
  const types = new Set<string>();
  const targetOf = (node: ts.Expression | undefined): string | undefined => {
    if (node === undefined || !ts.isStringLiteral(node) || !node.text.startsWith('.')) return undefined;
    return relative('.', resolve(dirname(file), node.text.replace(/\.js$/, '.ts'))).replaceAll('\\', '/');
  };
  const mentions = (node: ts.Node, into: string[]): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const target = targetOf(node.arguments[0]);
      if (target) into.push(`./${target}`);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const target = targetOf(node.argument.literal as ts.Expression);
      if (target) into.push(`./${target}`);
    }
    if (ts.isIdentifier(node)) into.push(node.text);
    // The name of a member access does not refer to a declaration.
    const member = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) || ts.isTypeElement(node);
    ts.forEachChild(node, (child) => {
      if (!(member && child === node.name && ts.isIdentifier(child))) mentions(child, into);
    });
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const target = targetOf(statement.moduleSpecifier);
      const clause = statement.importClause;
      if (target === undefined) continue;
      if (clause === undefined) declared.get('')?.push(`./${target}`);
      const bindings = clause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) imported.set(bindings.name.text, { file: target, name: '*' });
      if (bindings && ts.isNamedImports(bindings))
        for (const { name, propertyName } of bindings.elements)
          imported.set(name.text, { file: target, name: (propertyName ?? name).text });
      continue;
    }
    if (ts.isExportDeclaration(statement)) {
      const target = targetOf(statement.moduleSpecifier);
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        for (const { name, propertyName, isTypeOnly } of statement.exportClause.elements) {
          if (isTypeOnly || statement.isTypeOnly) types.add(name.text);
          exported.set(name.text, { ...(target && { file: target }), name: (propertyName ?? name).text });
        }
      else if (target) passed.push(target);
      continue;
    }
    const names = namesOf(statement);
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (names.length === 0) mentions(statement, declared.get('') ?? []);
    for (const name of names) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) types.add(name);
      const list = declared.get(name) ?? [];
      mentions(statement, list);
      declared.set(name, list);
      if (isExported) exported.set(name, { name });
    }
  }
  return { declared, imported, exported, types, passed };
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return named && statement.name ? [statement.name.text] : [];
}

const bound = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isBindingElement(each) ? bound(each.name) : []));
