import { ExpressionError, parse } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

/** Returns the errors of a source as `column: message`, without `Syntax error: ` and the names of more than two expected tokens. */
function errorsOf(source: string): string[] {
  try {
    parse(source, { optionalSyntax: true });
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return error.message
      .split('\n')
      .filter((line) => !line.startsWith(' | '))
      .map((line) => line.replace(/^ERROR: <input>:1:|Syntax error: /g, '').replace(/\{'\[', .*\}/, '{...}'));
  }
}

describe('errors of a source that does not parse', () => {
  it.each([
    // A token is missing, or there is an additional one.
    ['t ? 1 2', ["7: missing ':' at '2'"]],
    ['{"a" 1}', ["6: missing ':' at '1'"]],
    ['f(1', ["4: missing ')' at '<EOF>'"]],
    ['[1 2, 3]', ["4: extraneous input '2' expecting {']', ','}", "7: extraneous input '3' expecting ']'"]],
    ['[1, 2', ["6: mismatched input '<EOF>' expecting {']', ','}"]],
    ['[1,,2]', ["4: mismatched input ',' expecting ']'"]],
    ['* a', ["1: extraneous input '*' expecting {...}"]],
    ['a b', ["3: extraneous input 'b' expecting <EOF>"]],
    ['a b c', ["3: mismatched input 'b' expecting <EOF>"]],
    // The rule ends, and later errors are found as well.
    ['==', ["1: mismatched input '==' expecting {...}", "3: mismatched input '<EOF>' expecting {...}"]],
    ['a.( && b)', ["3: no viable alternative at input '.('", "9: extraneous input ')' expecting <EOF>"]],
    ['f(a c > 0) ? 1 : 2', ["5: mismatched input 'c' expecting ')'", "10: mismatched input ')' expecting <EOF>"]],
    ['[== %a', ["2: mismatched input '==' expecting {...}", "5: extraneous input '%' expecting {...}"]],
    ['a{b: 1, in c 2}', ["9: missing '}' at 'in'", "14: mismatched input '2' expecting <EOF>"]],
    // No alternative of a rule begins with this token.
    ['- || a', ["3: no viable alternative at input '- ||'", "3: extraneous input '||' expecting {...}"]],
    ['!!', ["3: extraneous input '<EOF>' expecting {...}"]],
    ['--', ["3: no viable alternative at input '-'", "3: mismatched input '<EOF>' expecting {...}"]],
    ['. 1', ["3: no viable alternative at input '. 1'"]],
    ['a.in', ["3: no viable alternative at input '.in'", "5: mismatched input '<EOF>' expecting {...}"]],
    ['a.true', ["3: mismatched input 'true' expecting IDENTIFIER"]],
    ['a.\n1', ["2:1: no viable alternative at input '.\\n1'"]],
    // Text that is not a token does not affect other errors.
    ['a.# .', ["3: token recognition error at: '#'", "5: no viable alternative at input '. .'"]],
  ])('%s', (source, errors) => {
    expect(errorsOf(source).map((line) => line.replace('ERROR: <input>:', ''))).toEqual(errors);
  });

  it('show the text that is not a token as it is, although it has line breaks', () => {
    expect(errorsOf('"\t\n1')[0]).toBe('1: token recognition error at: \'"\t');
  });
  it('are at most a hundred, and one that reports the rest', () => {
    const errors = errorsOf('* 1 + '.repeat(150));
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toBe('1 more errors were truncated');
    expect(errorsOf('# '.repeat(200)).at(-1)).toBe('1 more errors were truncated');
  });
  it('stop after thirty attempts to recover', () => {
    const errors = errorsOf('[1 2 3 4] + '.repeat(40));
    expect(errors).toHaveLength(32);
    expect(errors.at(-1)).toBe('364: error recovery attempt limit exceeded: 30');
  });
  it('stop where more than 256 tokens would be skipped', () => {
    expect(errorsOf(`(${') '.repeat(600)}`)[0]).toContain('error recovery token lookahead limit exceeded: 256');
  });
  it('are found besides an exceeded nesting limit', () => {
    expect(errorsOf('1 + '.repeat(300))).toEqual([
      'ERROR: <input>:-1:0: max recursion depth exceeded',
      "1201: mismatched input '<EOF>' expecting {...}",
    ]);
    expect(errorsOf('('.repeat(251))).toEqual(['ERROR: <input>:-1:0: expression recursion limit exceeded: 250']);
  });
});
