import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { entryPoints } from './scripts/entry-points.mjs';
import { markPure } from './scripts/mark-pure.mjs';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The builds run side by side, so none of them may clean the folder: `npm run build` does before. */
const shared: Options = {
  clean: false,
  target: 'node20',
  platform: 'node',
  splitting: true,
  treeshake: true,
  minifySyntax: true,
  // Bundled, as start-up is shorter by what the module loader costs; the rest loads when first used.
  noExternal: ['zod', 'immer', 'eventemitter3', 'sorted-btree', /^@peculiar\/asn1-/],
  external: [/^node:/, 'vitest', '#re2', 'classic-level'],
};
const entries = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, `src/${path}.ts`]));
const all = entryPoints().map(({ path }) => path);
/** Entry points that are nothing but names: see src/everything.ts. The main one is not: it loads without what only the others name. */
const isNames = (path: string) => path.startsWith('exports/');

/** Takes all names of an entry point from the one module that has everything. */
const fromEverything: Plugin = {
  name: 'from-everything',
  setup(build) {
    const ending = build.initialOptions.format === 'cjs' ? 'cjs' : 'js';
    build.onResolve({ filter: /everything\.c?js$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const depth = relative('src', path).split('/').length - 1;
      const from = `./${'../'.repeat(depth)}everything.${ending}`;
      return { contents: `export { ${exportedNames(path).join(', ')} } from '${from}';\n`, loader: 'js' };
    });
  },
};

/** The values that a list of names exports, those of other lists that it passes on included. */
function exportedNames(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const lists = source.matchAll(/^export \{([^}]*)\}/gm);
  const names = [...lists].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const values = names.filter((name) => name !== '' && !name.startsWith('type '));
  const own = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = '']) => name);
  const passedOn = [...source.matchAll(/^export \* from '([^']+)\.js'/gm)].flatMap(([, module = '']) =>
    exportedNames(join(dirname(path), `${module}.ts`)),
  );
  return [...values.map((name) => name.split(' as ').at(-1) ?? name), ...own, ...passedOn];
}

const code = ['everything', ...all.filter((path) => !isNames(path))];

const declarations: Options = {
  ...shared,
  entry: entries(all),
  format: ['esm', 'cjs'],
  dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
};

export default defineConfig([
  // The program is built with the modules, whose pieces it shares. Whitespace stays: without it esbuild leaves out the notes
  // for bundlers, and kinds that nobody imports would be in every bundle.
  { ...shared, entry: entries([...code, 'cli/main']), format: ['esm'], esbuildPlugins: [markPure()], dts: false },
  { ...shared, entry: entries(code), format: ['cjs'], minifyWhitespace: true, minifyIdentifiers: true, dts: false },
  {
    entry: entries(all.filter(isNames)),
    target: 'node20',
    platform: 'node',
    format: ['esm', 'cjs'],
    splitting: false,
    esbuildPlugins: [fromEverything],
    dts: false,
  },
  // `--no-dts` would make this one build code, too.
  ...(process.argv.includes('--no-dts') ? [] : [declarations]),
]);
