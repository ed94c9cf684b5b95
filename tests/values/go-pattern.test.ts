import { describe, expect, it } from 'vitest';
import { patternOf, patternProblem } from '../../src/cel/libraries/pattern.js';
import { EvaluationError } from '../../src/cel/values/value.js';
import { loadPatternProblems } from '../../src/schema/constraints/patterns.js';

// Facts of Go's regexp package, against which 150,000 random patterns were compared.
describe('patterns are those of Go', () => {
  it.each([
    ['(?P<n>a)(?P<n>b)', 'ab'],
    ['(?<n>a)|(?P<n>(?P<n>b))', 'b'],
    ['^\\P{C}$', '\u{378}'],
    ['^[\\PC]$', '\u{378}'],
    ['^[^\\pC]$', '\u{378}'],
    ['^\\p{^C}$', '\u{378}'],
    ['^[\\p{C}x]$', '\u{ad}'],
    ['^\\pC$', '\n'],
    ['^\\Q\\p{Math}\\E$', '\\p{Math}'],
    ['^\\\\p\\{Math}$', '\\p{Math}'],
    ['^[(?P<n>]+(?P<n>a)$', '(na'],
    ['^[]\\]\\-(?P<n>](?P<n>a)$', '(a'],
    ['^[[:alpha:](?P<n>](?P<n>a)$', '(a'],
    ['^[!-[:alph:](?P<n>a)$', ':a'],
  ])('%s matches %j', (pattern, text) => {
    const compiled = patternOf(pattern);
    expect(compiled).not.toBeInstanceOf(EvaluationError);
    if (!(compiled instanceof EvaluationError)) expect(compiled.test(text)).toBe(true);
  });

  it.each([
    ['\\pC', '\u{378}'],
    ['[\\p{C}]', '\u{10ffff}'],
    ['\\P{^C}', '\u{378}'],
    ['[^\\PC]', '\u{378}'],
  ])('%s does not match %j', (pattern, text) => {
    const compiled = patternOf(pattern);
    expect(compiled).not.toBeInstanceOf(EvaluationError);
    if (!(compiled instanceof EvaluationError)) expect(compiled.test(text)).toBe(false);
  });

  it.each([
    ['\\p{Alphabetic}', 'invalid character class range: `\\p{Alphabetic}`'],
    ['a[\\P{^Lc}]', 'invalid character class range: `\\P{^Lc}`'],
    ['[[:x\\p{Cn}', 'invalid character class range: `\\p{Cn}`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['(?P<n>a)(?P<n>\\pC', 'missing closing ): `(?P<n>a)(?P<n>\\pC`'],
    ['(?P<n>a)(?P<n>b)\\1\\p{Math}', 'invalid escape sequence: `\\1`'],
    [
      `${'('.repeat(1001)}${')'.repeat(1001)}`,
      `expression nests too deeply: \`${'('.repeat(1001)}${')'.repeat(1001)}\``,
    ],
  ])('%s is refused with the message of Go', async (pattern, why) => {
    expect(patternProblem(pattern)).toBe(`error parsing regexp: ${why}`);
    expect((await loadPatternProblems())(pattern)).toBe(`error parsing regexp: ${why}`);
  });
});
