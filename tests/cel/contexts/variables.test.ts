import { type Bindings, createEnvironment, formatType, INT, kubernetesLibraries } from 'orch-apiserver/cel';
import { Composition, compileTyped } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

function composed(variables: Readonly<Record<string, string>>) {
  const composition = new Composition();
  const environment = createEnvironment({
    libraries: kubernetesLibraries(31),
    variables: [
      { name: 'n', type: INT },
      { name: 'variables', type: composition.type },
    ],
  });
  for (const [name, source] of Object.entries(variables)) composition.declare(name, compileTyped(environment, source));
  const run = (source: string, bindings: Bindings = { n: 2 }, limit = 1000) => {
    const values = composition.values(bindings, limit);
    const { outcome } = compileTyped(environment, source).program.evaluate({ ...bindings, variables: values });
    return { outcome, spent: values.spent };
  };
  return { environment, run };
}

describe('variables of a policy', () => {
  it('are dyn where they are objects or values of libraries, also in lists and maps', () => {
    const { environment } = composed({
      q: 'quantity("1")',
      l: '[ip("::1")]',
      m: '{"a": [optional.of(1)]}',
      t: 'type(1)',
    });
    const typeOf = (source: string) => formatType(compileTyped(environment, source).type);
    expect(['q', 'l', 'm', 't'].map((name) => typeOf(`variables.${name}`))).toEqual([
      'dyn',
      'list(dyn)',
      'map(string, list(dyn))',
      'dyn',
    ]);
    expect(typeOf('variables.q.foo + variables.l[0].bar')).toBe('dyn');
  });

  it('have the types of their expressions, and see those declared before', () => {
    const { environment, run } = composed({ double: 'n * 2', text: 'string(variables.double)' });
    expect(run('variables.text == "4"').outcome).toBe(true);
    expect(formatType(compileTyped(environment, 'variables.text').type)).toBe('string');
    expect(() => compileTyped(environment, 'variables.double == "4"')).toThrow('found no matching overload');
  });
  it('cannot be used before they are declared', () => {
    expect(() => composed({ a: 'variables.b', b: '1' })).toThrow(
      "compilation failed: ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^",
    );
  });
  it('are evaluated when they are needed, once', () => {
    const { run } = composed({ used: 'n + 1', unused: 'n / 0' });
    expect(run('variables.used == 3')).toEqual({ outcome: true, spent: 2 });
    expect(run('variables.used + variables.used == 6')).toEqual({ outcome: true, spent: 2 });
    expect(run('n == 2')).toEqual({ outcome: true, spent: 0 });
  });
  it('pass on their errors, which || absorbs', () => {
    const { run } = composed({ bad: 'n / 0 == 1' });
    expect(run('variables.bad || true').outcome).toBe(true);
    expect(run('variables.bad').outcome).toMatchObject({
      message: 'composited variable "bad" fails to evaluate: division by zero',
    });
  });
  it('share a cost limit', () => {
    const { run } = composed({ a: '[1, 2, 3].all(x, x < n)', b: 'variables.a' });
    expect(() => run('variables.b', { n: 9 }, 5)).toThrow('actual cost limit exceeded');
  });
});
