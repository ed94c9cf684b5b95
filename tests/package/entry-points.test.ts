import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entryPoints } from '../../scripts/entry-points.mjs';

const root = new URL('../../', import.meta.url);
const { exports, imports, files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

describe('the entry points of the package', () => {
  it('have a source, and types and code for ESM and CommonJS', () => {
    for (const { name, path } of entryPoints()) {
      expect(existsSync(new URL(`src/${path}.ts`, root)), `src/${path}.ts`).toBe(true);
      expect(exports[name.replace('orch-apiserver', '.')]).toEqual({
        import: { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` },
        require: { types: `./dist/${path}.d.cts`, default: `./dist/${path}.cjs` },
      });
    }
  });

  it('are all in the list of entry points', () => {
    const listed = entryPoints().map(({ path }) => `${path}.ts`);
    const sources = readdirSync(new URL('src/exports/', root)).map((file) => `exports/${file}`);
    expect(sources.filter((file) => !listed.includes(file))).toEqual([]);
    expect(Object.keys(exports)).toHaveLength(listed.length + 1); // The additional export is package.json.
  });

  it('export no name with two meanings', { timeout: 120_000 }, async () => {
    const meanings = new Map<string, unknown>();
    for (const { path } of entryPoints()) {
      const module: Record<string, unknown> = await import(new URL(`src/${path}.ts`, root).href);
      for (const [name, value] of Object.entries(module)) {
        expect(meanings.get(name) ?? value, name).toBe(value);
        meanings.set(name, value);
      }
    }
    // Types do not exist at run time. The API report checks their names (docs/api/report.md).
    const report = readFileSync(new URL('docs/api/report.md', root), 'utf8');
    const declared = report.matchAll(/(?:^\/\/ as (\w+)\n)?^(?:interface|type|class) (\w+)/gm);
    const types = Array.from(declared, ([, exportedAs, name]) => exportedAs ?? name);
    expect(types.filter((name, index) => types.indexOf(name) !== index)).toEqual([]);
  });

  it('that re-export names are contained in the built module', { timeout: 120_000 }, async () => {
    const everything: Record<string, unknown> = await import('../../src/everything.js');
    for (const { path } of entryPoints().filter(({ path }) => path === 'index' || path.startsWith('exports/'))) {
      const module: Record<string, unknown> = await import(new URL(`src/${path}.ts`, root).href);
      for (const [name, value] of Object.entries(module)) expect(everything[name], `${path}: ${name}`).toBe(value);
    }
  });

  it('import only files of the package by their own names, because jest resolves no module of Node there', () => {
    // Bun's bundler for browsers has the condition `node-addons`, too, and takes the first condition that it has.
    expect(Object.keys(imports['#re2'])[0]).toBe('browser');
    const targets = JSON.stringify(imports).match(/(?<=":")[^"]+/g) ?? [];
    expect(targets).toHaveLength(3);
    for (const target of targets) {
      expect(existsSync(new URL(target, root)), target).toBe(true);
      expect(files).toContain(target.replace('./', ''));
    }
  });

  it('of /testing need no test runner', () => {
    const report = readFileSync(new URL('src/testing/index.ts', root), 'utf8');
    const files = [...report.matchAll(/from '\.\/([\w-]+)\.js'/g)].map((match) => `src/testing/${match[1]}.ts`);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(readFileSync(new URL(file, root), 'utf8')).not.toMatch(/from 'vitest'/);
  });
});
