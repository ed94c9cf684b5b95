import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as engine from '../../src/cel/index.js';
import * as rules from '../../src/cel/rules.js';

/* Every example of docs/expressions.md is run. Its comments `// name: value` give the expected values. */
const page = readFileSync(new URL('../../docs/expressions.md', import.meta.url), 'utf8');
const examples = page.split(/^## /m).flatMap((section) => {
  const title = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => [title, code] as const);
});

/** Runs an example unchanged, except that it imports the sources, and returns the values of the names. */
function run(code: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const body = code.replace(
    /import \{([^}]+)\} from 'orch-apiserver\/cel(?:\/rules)?';/,
    (_, found: string) => `const {${found}} = cel;`,
  );
  const results = names.map((name) => `${JSON.stringify(name)}: ${name}`).join(', ');
  return new Function('cel', `${body}\nreturn { ${results} };`)({ ...engine, ...rules });
}

describe('docs/expressions.md', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(4);
  });
  it.each(examples)('%s', (_title, code) => {
    const claims = [...code.matchAll(/^\/\/ ([\w.]+): (.+)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(claims.length).toBeGreaterThan(0);
    const found = run(
      code,
      claims.map(([name]) => name),
    );
    for (const [name, value] of claims) expect([name, found[name]]).toEqual([name, JSON.parse(value)]);
  });
});
