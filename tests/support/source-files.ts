import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const sourceRoot = resolve(import.meta.dirname, '../../src');
/** All modules of the library, by path from `src`. */
export const sourceFiles: readonly string[] = (readdirSync(sourceRoot, { recursive: true }) as string[])
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Returns the specifiers that a module imports or re-exports, including types and dynamic imports. */
export function importsOf(file: string): string[] {
  const text = readFileSync(join(sourceRoot, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
}

/** Returns the modules of the library among those. */
export function localImports(file: string): string[] {
  return localPaths(file, importsOf(file));
}

/** Returns the modules of the library that a module imports dynamically. */
export function laterImports(file: string): string[] {
  const text = readFileSync(join(sourceRoot, file), 'utf8');
  return localPaths(
    file,
    [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, name = '']) => name),
  );
}

function localPaths(file: string, names: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith('.') && !name.endsWith('.json'))
    .map((name) =>
      relative(sourceRoot, resolve(sourceRoot, dirname(file), name.replace(/\.js$/, '.ts'))).replaceAll('\\', '/'),
    );
}
