import { check, compile, createEnvironment, INT, type Library, STRING, standard } from 'orch-apiserver/cel';
import { describe, expect, it } from 'vitest';

const greet = (id: string, name: string, word: string): Library => ({
  name: id,
  functions: [{ name, overloads: [{ id, parameters: [STRING], result: STRING }] }],
  implementations: { [id]: (who) => `${word} ${String(who)}` },
});
const environment = createEnvironment({
  libraries: [standard, greet('inner_greet', 'a.b.greet', 'inner'), greet('outer_greet', 'greet', 'outer')],
  variables: ['x', 'a.x', 'a.b.x'].map((name) => ({ name, type: INT })),
  container: 'a.b',
});
const values = { x: 1, 'a.x': 2, 'a.b.x': 3 };

describe.each([
  ['checked expressions', true],
  ['unchecked expressions', false],
])('names in a container, in %s', (_name, isChecked) => {
  const evaluate = (source: string) => {
    const ast = environment.parse(source);
    return compile(environment, isChecked ? check(environment, ast) : ast).evaluate(values).outcome;
  };

  it.each([
    ['x', 3],
    ['b.x', 3],
    ['a.x', 2],
    ['.x', 1],
    ['.a.x', 2],
    ['[10].map(x, x)[0]', 10],
  ])('%s is %s', (source, value) => {
    expect(evaluate(source)).toBe(value);
  });

  it.each([
    ['greet("you")', 'inner you'],
    ['b.greet("you")', 'inner you'],
    ['.greet("you")', 'outer you'],
    ['.a.b.greet("you")', 'inner you'],
  ])('%s is %s', (source, value) => {
    expect(evaluate(source)).toBe(value);
  });
});

it('a leading dot does not lead past an iteration variable of a checked expression', () => {
  const evaluate = (source: string) =>
    compile(environment, check(environment, environment.parse(source))).evaluate(values).outcome;
  expect(evaluate('[10].map(x, .x)[0]')).toBe(10);
  expect(evaluate("[{'z': 0}].exists(y, .y.z == y.z)")).toBe(true);
});
