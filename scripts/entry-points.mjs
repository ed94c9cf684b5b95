// Reads the package's entry points from `exports` of package.json, their only list. The source of `./dist/PATH.js` is `src/PATH.ts`.
import { readFileSync } from 'node:fs';

const BUILT = /^\.\/dist\/(.+)\.js$/;

/** @returns {{ name: string, path: string }[]} `name` as users import it; `path` below src/ and dist/, without its extension. */
export function entryPoints() {
  const { name, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const [, path] = BUILT.exec(target.import?.default ?? '') ?? [];
    return path === undefined ? [] : [{ name: name + subpath.slice(1), path }];
  });
}
