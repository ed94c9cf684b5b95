// Generates the TypeScript types of the tables of the API's structs: `<table>.types.ts` beside each table.
//   node scripts/api-types.mjs           writes them
//   node scripts/api-types.mjs --check   exits with 1 if one is not up to date
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src');
const SCALARS = {
  string: 'string',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bool: 'boolean',
  Time: 'string | null',
  MicroTime: 'string | null',
  bytes: 'string',
  Quantity: 'string',
  IntOrString: 'number | string',
};
/** Types that are always present in JSON, and null if they have no value. */
const NULL_WHEN_EMPTY = /^(?:\[\]|map\()/;

const comment = (text) => `/** ${text.replaceAll('*/', '*\\/')} */`;
const member = (declared, description) => [`  ${comment(description)}`, `  readonly ${declared};`];
const present = (type) => type.replace(/ \| null$/, '');
const bracketed = (type) => (type.includes(' | ') ? `(${type})` : type);
const key = (field) => (/^[\w$]+$/.test(field) ? field : `'${field}'`);
const pathOf = (file) => file.replace(/\.ts$/, '').split('/');

const { tables, grammar } = await readTables();
let stale = 0;
for (const table of tables) {
  const file = join(sources, table.file.replace(/\.ts$/, '.types.ts'));
  const text = typesOf(table);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readIfThere(file) !== text) {
    console.error(`${relative(root, file)} is not up to date: npm run api-types`);
    stale++;
  }
}
process.exitCode = stale > 0 ? 1 : 0;

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Loads the tables that the modules pass to `fieldTable`, and the functions that parse them. */
async function readTables() {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('field-table.ts'))
    .filter((file) => /\bfieldTable</.test(readFileSync(join(sources, file), 'utf8')))
    .sort();
  const given = {
    name: 'given-tables',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/field-table\.js$/ }, () => ({ path: 'field-table', namespace: 'given' }));
      onLoad({ filter: /.*/, namespace: 'given' }, () => ({
        contents:
          'export const fieldTable = (definitions, imports, ...texts) => ({ definitions, imports, text: texts.join("\\n") });',
      }));
    },
  };
  const modulesOf = files.map((file, i) => `export * as t${i} from './${file}';`);
  const contents = ["export * as grammar from './schema/field-table-text.js';", ...modulesOf].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    packages: 'external',
    plugins: [given],
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  const modules = await import(url);
  const tables = files.flatMap((file, i) =>
    Object.entries(modules[`t${i}`])
      .map(([name, value]) => ({ name, file, ...(typeof value === 'function' ? value('', []) : value) }))
      .filter(({ definitions }) => definitions !== undefined),
  );
  return { tables, grammar: modules.grammar };
}

function typesOf({ name, file, imports, text }) {
  const own = pathOf(file);
  const source = readFileSync(join(sources, file), 'utf8');
  const texts = grammar.splitParagraphs(text);
  const paragraphs = new Map(Array.from(texts, ([name, paragraph]) => [name, grammar.readParagraph(paragraph)]));
  const named = new Map();
  const structs = [];
  for (const [name, paragraph] of paragraphs)
    if (grammar.isNamedType(paragraph)) named.set(name, grammar.readNamedType(paragraph.words));
    else structs.push({ name, ...paragraph });
  const used = { json: new Set(), filled: false, imports: new Set() };

  const body = [
    ...Array.from(named, ([name, type]) => `export type ${name} = ${namedType(type)};\n`),
    ...structs.map((struct) => structType(struct)),
  ].join('\n');
  const map = structs.map(({ name }) => `  ${name}: ${name};`).join('\n');
  const mapName = name.charAt(0).toUpperCase() + name.slice(1);
  return [
    `// Made by \`npm run api-types\` of ${own.at(-1)}.ts.`,
    ...importLines(),
    '',
    `/** The structs of the table, by their names. */\nexport interface ${mapName} {\n${map}\n}\n`,
    body,
  ].join('\n');

  function importLines() {
    const path = (to) => {
      const found = relative(dirname(file), to);
      return found.startsWith('.') ? found : `./${found}`;
    };
    return [
      ...(used.json.size > 0
        ? [`import type { ${[...used.json].sort().join(', ')} } from '${path('json/value.js')}';`]
        : []),
      ...(used.filled ? [`import type { Filled } from '${path('meta/sent-form.js')}';`] : []),
      ...[...used.imports].sort().map((qualifier) => {
        const given = imports[qualifier];
        const table = tables.find(({ definitions }) => definitions === given.definitions);
        if (table) return `import type * as ${qualifier} from '${path(table.file.replace(/\.ts$/, '.types.js'))}';`;
        // The schema has the name of its type, beginning with a lower-case letter.
        const [, from] = new RegExp(`import \\{ ${qualifier} \\} from '(.*)';`, 'i').exec(source) ?? [];
        if (!from) throw new Error(`${file} imports no type ${qualifier}`);
        return `import type { ${qualifier} } from '${from}';`;
      }),
    ];
  }

  function structType({ name, words, description, lines: rows }) {
    const { words: has } = grammar.readStruct(words);
    const shown = [];
    const lines = [];
    if (has.has('kind') || has.has('options'))
      lines.push(
        ...member('kind: string', 'Name of the kind.'),
        ...member('apiVersion: string', 'Group and version of the kind.'),
      );
    if (has.has('kind')) {
      used.imports.add('meta');
      shown.push('metadata');
      lines.push(...member('metadata: meta.ObjectMeta', 'Name, labels, and what the server knows of the object.'));
    }
    for (const { name: field, type, mark, words, description } of rows.flatMap(fieldsOf)) {
      const written = typeOf(type);
      if (mark === '?' || mark === '*') lines.push(...member(`${key(field)}?: ${present(written)}`, description));
      else if (mark === '!' || (mark === '~' && words.includes('required')))
        lines.push(...member(`${key(field)}: ${present(written)}`, description));
      else if (mark === '~') lines.push(...member(`${key(field)}: ${present(written)} | null`, description));
      else {
        shown.push(field);
        const empty = NULL_WHEN_EMPTY.test(plainOf(type)) ? `${written} | null` : written;
        lines.push(...member(`${key(field)}: ${empty}`, description));
      }
    }
    if (shown.length > 0) used.filled = true;
    const filled = shown.length > 0 ? ` extends Filled<${shown.map((each) => `'${each}'`).join(' | ')}>` : '';
    return `${comment(description)}\nexport interface ${name}${filled} {\n${lines.join('\n')}\n}\n`;
  }

  function fieldsOf(text) {
    const line = grammar.readLine(text);
    return 'name' in line ? [line] : paragraphs.get(line.embedded).lines.flatMap(fieldsOf);
  }

  /** Returns the parts of a type in the table, without names. */
  function plainOf(type) {
    return named.get(type)?.type ?? type;
  }

  function namedType({ raw, type, literals }) {
    if (raw !== undefined) return json(raw === 'any' ? 'JsonValue' : 'JsonObject');
    return literals ? literals.map((each) => `'${each}'`).join(' | ') : typeOf(type);
  }

  function json(type) {
    used.json.add(type);
    return type;
  }

  function typeOf(words) {
    const { type } = grammar.splitType(words);
    if (type.startsWith('[]')) return `readonly ${bracketed(typeOf(type.slice(2)))}[]`;
    if (type.startsWith('map(')) return `{ readonly [key: string]: ${typeOf(type.slice(4, -1))} }`;
    if (Object.hasOwn(SCALARS, type)) return SCALARS[type];
    const [qualifier] = type.split('.');
    if (Object.hasOwn(imports, qualifier)) used.imports.add(qualifier);
    return type;
  }
}
