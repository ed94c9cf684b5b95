import {
  bindings,
  check,
  compile,
  createEnvironment,
  ExpressionError,
  estimate,
  kubernetesLibraries,
  listOf,
  STRING,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

const environment = createEnvironment({
  libraries: [...kubernetesLibraries(31), bindings],
  variables: [{ name: 'l', type: listOf(STRING) }],
});

/** Parses, checks and evaluates an expression; an error of the expression is as good as a value. */
function attempt(source: string): unknown {
  try {
    const checked = check(environment, environment.parse(source));
    estimate(environment, checked);
    return compile(environment, checked);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}
/** Measures milliseconds of CPU time, because the machine may be busy. */
function time(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('deep nesting does not exhaust the stack', () => {
  it.each<[string, string, string, string]>([
    ['brackets', '(', '1', ')'],
    ['lists', '[', '1', ']'],
    ['maps', '{1: ', '1', '}'],
    ['macros', 'l.map(x, ', '1', ')'],
    ['macros over macros', '', 'l', '.map(x, x)'],
    ['tests', 'l.all(x, l.exists(y, ', 'true', '))'],
    ['conditions', 'true ? 1 : ', '1', ''],
    ['calls', 'dyn(', '1', ')'],
    ['selections', 'dyn(l)', '', '.a'],
    ['indices', 'dyn(l)', '', '[0]'],
    ['indices in indices', 'dyn(l)[', '0', ']'],
    ['signs', '-(', '1', ')'],
    ['negations', '!', 'true', ''],
    ['sums', '1 + ', '1', ''],
    ['optionals', 'optional.of(1)', '', '.optMap(x, x)'],
    ['optionals in optionals', 'optional.of(1).optMap(x, ', 'x', ')'],
    ['bindings', 'cel.bind(x, ', '1', ', x)'],
  ])('%s', (_name, open, inner, close) => {
    for (const depth of [10, 60, 100, 200, 249, 250, 1000, 10_000]) {
      attempt(open.repeat(depth) + inner + close.repeat(depth));
      attempt(open + inner + close.repeat(depth));
    }
  });
});

describe('types that double with every variable', () => {
  const doubled = (n: number, value: (name: string) => string) => {
    let source = `x${n}`;
    for (let i = n; i > 0; i--) source = `cel.bind(x${i}, ${value(`x${i - 1}`)}, ${source})`;
    return `cel.bind(x0, [1], ${source})`;
  };
  it.each<[string, (name: string) => string]>([
    ['maps of maps', (name) => `{${name}: ${name}}`],
    ['maps in lists', (name) => `[{${name}: ${name}}]`],
    ['lists of maps in branches', (name) => `{[${name}]: [${name}]} == {} ? {${name}: ${name}} : {}`],
  ])('are refused: %s', (_name, value) => {
    const source = doubled(40, value);
    let found: unknown;
    expect(time(() => void (found = attempt(source)))).toBeLessThan(2000);
    expect(found).toBeInstanceOf(ExpressionError);
    expect((found as Error).message).toContain('type is too complex');
  });
});

it('a chain of optMap, whose macro repeats its target, does not take exponential time', () => {
  const source = `optional.of(1)${'.optMap(x, x)'.repeat(100)}`;
  expect(time(() => void attempt(source))).toBeLessThan(1000);
});

it('many errors are reported in a bounded text', () => {
  const found = attempt(Array.from({ length: 5000 }, (_, i) => `u${i}`).join(' || '));
  expect(found).toBeInstanceOf(ExpressionError);
  const lines = (found as Error).message.split('\n');
  expect(lines.filter((line) => line.startsWith('ERROR'))).toHaveLength(100);
  expect(lines.at(-1)).toBe('4900 more errors were truncated');
});
