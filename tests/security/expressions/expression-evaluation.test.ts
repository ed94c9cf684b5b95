import {
  adaptDynamic,
  BudgetExceeded,
  bindings,
  check,
  compile,
  createEnvironment,
  DYN,
  type Environment,
  EvaluationError,
  kubernetesLibraries,
  type Value,
} from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

const environment: Environment = createEnvironment({
  libraries: [...kubernetesLibraries(31), bindings],
  variables: [{ name: 'self', type: DYN }],
});

/** Milliseconds of CPU that an expression takes, refused or not. */
function timeOf(source: string, limit?: number, self: unknown = {}): number {
  const program = compile(environment, check(environment, environment.parse(source)));
  const before = process.cpuUsage();
  try {
    program.evaluate({ self: adaptDynamic(self) as Value }, undefined, limit);
  } catch (error) {
    expect(error).toBeInstanceOf(BudgetExceeded);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const doubled = (start: string, times: number): string => {
  let source = `a${times}`;
  for (let i = times; i > 0; i--) source = `cel.bind(a${i}, a${i - 1} + a${i - 1}, ${source})`;
  return `cel.bind(a0, ${start}, ${source})`;
};
const using = (source: string, use: (name: string) => string, times: number): string =>
  source.replace(new RegExp(`a${times}\\)`), `${use(`a${times}`)})`);

const SECONDS = 5_000;

describe('expressions with growing values are limited', () => {
  it('for lists that are doubled forty times', () => {
    const source = doubled('[1, 2, 3]', 40);
    expect(timeOf(source)).toBeLessThan(SECONDS);
    for (const use of [
      'size(X) > 0',
      'X == X',
      '5 in X',
      'X.exists(x, x == 5)',
      'X.map(x, x)',
      '[X] == [X]',
      'X.sum()',
    ]) {
      expect(timeOf(using(source, (name) => use.replaceAll('X', name), 40))).toBeLessThan(SECONDS);
    }
  });

  it('for nested lists', () => {
    const nested = using(
      doubled('[1, 2, 3, 4]', 18),
      (name) => `cel.bind(b, [${name}, ${name}, ${name}], cel.bind(c, b + b + b + b, [c, c, c] == [c, c, c]))`,
      18,
    );
    expect(timeOf(nested)).toBeLessThan(SECONDS);
  });

  it('for strings that are doubled, replaced, joined and formatted', () => {
    const text = doubled("'abcdefghij'", 35);
    expect(timeOf(text)).toBeLessThan(SECONDS);
    const some = doubled("'abcdefghij'", 14);
    for (const use of [
      "X.replace('', X)",
      '[X, X].join(X)',
      "'%s%s'.format([X, [X, X]])",
      'X.split("").join(X)',
      "X.replace('a', X).replace('b', X)",
    ]) {
      expect(timeOf(using(some, (name) => use.replaceAll('X', name), 14))).toBeLessThan(SECONDS);
    }
  });
});

describe('patterns that backtrack exponentially in other engines', () => {
  it.each(['^(a+)+$', '(a|aa)+$', '(.*)*b', '(a?){50}a{50}'])('%s', (pattern) => {
    const self = { text: `${'a'.repeat(2_000)}!` };
    expect(timeOf(`self.text.matches('${pattern}')`, undefined, self)).toBeLessThan(SECONDS);
    expect(timeOf(`self.text.findAll('${pattern}').size() > 0`, undefined, self)).toBeLessThan(SECONDS);
  });
});

describe('budgets', () => {
  it('stop an evaluation, even if an operator would absorb the error', () => {
    const nested =
      '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, a + b + c > 0)))';
    const program = compile(environment, check(environment, environment.parse(`true || ${nested} || true`)));
    expect(program.evaluate({}).cost).toBe(0);
    const eager = compile(environment, check(environment, environment.parse(`${nested} || true`)));
    expect(() => eager.evaluate({}, undefined, 100)).toThrow(BudgetExceeded);
  });

  it('are shared by programs, and the error says which of two limits was exceeded', () => {
    const program = compile(environment, check(environment, environment.parse('[1, 2, 3].all(x, x > 0)')));
    const budget = { remaining: 60 };
    const { cost } = program.evaluate({}, budget);
    expect(budget.remaining).toBe(60 - cost);
    program.evaluate({}, budget);
    expect(() => program.evaluate({}, budget)).toThrow(expect.objectContaining({ shared: true }));
    expect(budget.remaining).toBe(0);
    expect(() => program.evaluate({}, { remaining: 1_000 }, 5)).toThrow(expect.objectContaining({ shared: false }));
  });
});

describe('optMap within optMap', () => {
  it('evaluates each target once, and counts its cost twice', () => {
    const nested = (depth: number): string => {
      let source = 'optional.of(1)';
      for (let i = 0; i < depth; i++) source = `${source}.optMap(v, v + 1)`;
      return source;
    };
    const cost = (depth: number) => compile(environment, environment.parse(nested(depth))).evaluate({}).cost;
    expect(cost(3)).toBe(2 * cost(2) + cost(1) - 2 * cost(0));
    expect(timeOf(nested(40), 1_000_000)).toBeLessThan(SECONDS);
    const { outcome } = compile(environment, environment.parse(`${nested(12)}.value()`)).evaluate({});
    expect(outcome).toBe(13);
  });
});

describe('names of inherited members', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s', (name) => {
    const evaluate = (source: string) =>
      compile(environment, environment.parse(source)).evaluate({ self: adaptDynamic({ a: 1 }) as Value }).outcome;
    expect(evaluate(`self.${name}`)).toBeInstanceOf(EvaluationError);
    expect(evaluate(`has(self.${name})`)).toBe(false);
    expect(evaluate(`'${name}' in self`)).toBe(false);
    expect(evaluate(name)).toBeInstanceOf(EvaluationError);
  });
});

it('values that are nested too deeply are an error', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const program = compile(environment, check(environment, environment.parse('self == [self]')));
  expect(program.evaluate({ self: adaptDynamic(deep) as Value }).outcome).not.toBe(true);
});
