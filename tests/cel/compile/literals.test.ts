import { compile, createEnvironment, kubernetesLibraries } from 'orch-apiserver/cel';
import { checkRule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

const libraries = kubernetesLibraries(31);
const evaluate = (source: string, repeatedKeys: boolean) => {
  const environment = createEnvironment({ libraries, repeatedKeys });
  return compile(environment, environment.parse(source)).evaluate({}).outcome;
};

describe('a key that occurs twice in a map literal', () => {
  it('is an error of CEL', () => {
    expect(evaluate('{"a": 1, "a": 2}', false)).toMatchObject({ message: 'Failed with repeated key' });
  });
  it.each([
    '{"a": 1, "a": 2} == {"a": 2}',
    '{"a": 1, "b": 3, "a": 2}.size() == 2',
    '{"a": 1, ?"a": optional.of(2)} == {"a": 2}',
    '{"a": 1, ?"a": optional.none()} == {}',
    '{?"a": optional.none(), "a": 1} == {"a": 1}',
  ])('has the later value in the API: %s', (source) => {
    expect(evaluate(source, true)).toBe(true);
  });
  it('has the later value if both keys come from the object', () => {
    const text = { type: 'string' };
    const schema = { type: 'object', properties: { a: text, b: text } };
    expect(checkRule(schema, '{self.a: 1, self.b: 2}.size() == 1', { self: { a: 'x', b: 'x' } }).result).toBe('valid');
  });
});

describe('a double as a key of a map literal', () => {
  it('is an error of CEL', () => {
    expect(evaluate('{1.5: 1}', false)).toMatchObject({ message: 'unsupported key type' });
  });
  it.each([
    '{1.5: "a", 2.0: "b"}[1.5] == "a"',
    '{1.5: "a", 2.0: "b"}[2.0] == "b"',
    '2.0 in {2.0: "b"} && !(1.5 in {2.0: "b"})',
    '{1.0: "a", 1.0: "b"} == {1.0: "b"}',
    '{-0.0: "a"}[0.0] == "a"',
    '{1.5: 1}.all(k, k > 1.0)',
  ])('is accepted by the API: %s', (source) => {
    expect(evaluate(source, true)).toBe(true);
  });
});

it.each([
  ['[?dyn(1)]', 'cannot initialize optional list element from non-optional value 1'],
  ['{?"a": dyn(1)}', "cannot initialize optional entry 'a' from non-optional value 1"],
  ['google.protobuf.Int64Value{?value: dyn(1)}', "cannot initialize optional entry 'value' from non-optional value 1"],
])('%s fails: %s', (source, message) => {
  expect(evaluate(source, true)).toMatchObject({ message });
});
