import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';

/*
 * Regular expressions are matched against input of clients, so none may take more than linear time. `npm run regexp` checks those that
 * the source contains literally; those that are built from parts are checked when they are created.
 */
const root = join(import.meta.dirname, '../../..');
const linter = new ESLint({ cwd: root, overrideConfigFile: join(root, 'regexp.config.js') });
const problemsOf = (results: readonly ESLint.LintResult[]) =>
  results.flatMap(({ filePath, messages }) => messages.map(({ line, message }) => `${filePath}:${line} ${message}`));
const planted = async (line: string) => problemsOf(await linter.lintText(line, { filePath: 'src/planted.ts' }));

/** Returns how a regular expression could take too long; [] if it cannot. */
function slowness({ source, flags }: Pick<RegExp, 'source' | 'flags'>): readonly string[] {
  // A pattern that cannot start elsewhere is not tried elsewhere.
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  return reports.map(({ type, exponential }) => `/${source}/: ${type}${exponential ? ', exponential' : ''}`);
}

describe('regular expressions in the sources', () => {
  it.each([
    ['backtrack in nested repetitions', 'export const a = /^(?:a*)*b$/;'],
    ['backtrack in adjacent repetitions', 'export const a = /^\\s*;?\\s*$/;'],
    ['search again from every character of a run', "export const a = (text: string) => text.replace(/\\/+$/, '');"],
    ['search again before every comma', 'export const a = /(^|.*,\\s*)upgrade($|\\s*,)/;'],
    ['are built from parts', "const T = '[a-z]+';\nexport const a = new RegExp('^(?:' + T + ')*!$');"],
  ])('that %s are detected', async (_, line) => {
    expect(await planted(line)).not.toEqual([]);
  });

  it('take linear time', async () => {
    expect(problemsOf(await linter.lintFiles(['src']))).toEqual([]);
  }, 120_000);

  it('that are concatenated at load time take linear time as well', async () => {
    const made = new Map<string, RegExp>();
    const Original = globalThis.RegExp;
    globalThis.RegExp = new Proxy(Original, {
      construct(target, parts: [string, string?], newTarget) {
        const expression = Reflect.construct(target, parts, newTarget) as RegExp;
        // Dependencies create regular expressions as well.
        if (new Error().stack?.split('\n').some((line) => /\/(?:src|\.compiled)\/[\w/-]+\.[jt]s/.test(line)))
          made.set(String(expression), expression);
        return expression;
      },
    });
    try {
      for (const file of readdirSync(join(root, 'src'), { recursive: true }) as string[])
        if (file.endsWith('.ts') && file !== 'cli/main.ts') await import(join(root, 'src', file));
    } finally {
      globalThis.RegExp = Original;
    }
    expect(made.size).toBeGreaterThan(10);
    expect([...made.values()].flatMap(slowness)).toEqual([]);
  }, 120_000);
  it('that are concatenated are detected if they take more', () => {
    expect(slowness({ source: '^(?:a+)+b$', flags: '' })).not.toEqual([]);
    expect(slowness(/^[a-z]+(?:\.[a-z]+)*$/)).toEqual([]);
  });
});
