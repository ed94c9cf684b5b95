import {
  check,
  createEnvironment,
  estimate,
  kubernetesLibraries,
  listOf,
  parse,
  STRING,
} from '../../../src/cel/index.js';
import type { GrowthRow } from './measure.js';

const environment = createEnvironment({
  libraries: kubernetesLibraries(31),
  homogeneousLiterals: true,
  variables: [
    { name: 'a', type: STRING },
    { name: 'l', type: listOf(STRING) },
  ],
});

/** A row that parses, checks and estimates one expression. */
const whole = (name: string, n: number, source: (n: number) => string): GrowthRow => ({
  name: `an expression: ${name}`,
  n,
  prepare: (size) => {
    const text = source(size);
    return () => estimate(environment, check(environment, environment.parse(text)));
  },
});
/** A row whose expression repeats one part n times without nesting. */
const sequence = (
  name: string,
  n: number,
  part: string,
  separator: string,
  around: readonly [string, string] = ['', ''],
) => whole(name, n, (size) => around[0] + Array.from({ length: size }, () => part).join(separator) + around[1]);
/** A row whose expression repeats a part that is nested up to the limit. */
const nested = (name: string, n: number, open: string, inner: string, close: string, depth: number) =>
  sequence(name, n, `${open.repeat(depth)}${inner}${close.repeat(depth)}`, ', ', ['[', '].size() == 0']);

export const rows: readonly GrowthRow[] = [
  sequence('a chain of &&', 500, "a == 'b'", ' && '),
  sequence('a chain of || with macros', 200, 'l.exists(x, x == a)', ' || '),
  sequence('a list of literals', 2000, "'b'", ', ', ['[', "] == ['b']"]),
  sequence('a map of literals', 1000, "a: 'b'", ', ', ['{', '}.size() > 1']),
  sequence('empty lists, each with a type of its own', 1000, '[]', ', ', ['[', '].size() > 1']),
  sequence('errors of the checker', 500, 'unknown', ' || '),
  sequence('errors of the checker in lines of their own', 500, 'unknown', ' ||\n'),
  sequence('errors of types', 500, '(a + 1 == 2)', ' && '),
  sequence('literals that can only fail', 300, "duration('x') == duration('1s')", ' && '),
  nested('nested lists', 40, '[', 'a', ']', 20),
  nested('nested calls', 20, 'string(', 'a', ')', 60),
  nested('nested macros', 10, 'l.map(x, ', 'x', ')', 30),
  nested('nested conditions', 20, '(true ? ', 'a', " : 'b')", 60),
  nested('chains of optionals', 20, '', `optional.of(a)${'.optMap(x, x)'.repeat(30)}`, '', 1),
  nested('nested optionals', 20, 'optional.of(a).optMap(x, ', 'x', ')', 20),
  whole('a long text', 20_000, (n) => `a == '${'x'.repeat(n)}'`),
  whole('a long text of escapes', 10_000, (n) => `a == '${'\\n'.repeat(n)}'`),
  whole('long bytes of escapes', 5000, (n) => `b'${'\\x00'.repeat(n)}' == b''`),
  whole('a long number', 20_000, (n) => `1${'0'.repeat(n)} == 1`),
  whole('a long name', 20_000, (n) => 'x'.repeat(n)),
  whole('blanks', 10_000, (n) => `${' \n'.repeat(n)}a == 'b'`),
  whole('a comment', 20_000, (n) => `a == 'b' // ${'x'.repeat(n)}`),
  {
    name: 'an expression: characters that are no tokens',
    n: 2000,
    prepare: (n) => {
      const text = '#'.repeat(n);
      return () => parse(text);
    },
  },
  {
    name: 'an expression: brackets that never close',
    n: 20_000,
    prepare: (n) => {
      const text = '['.repeat(n);
      return () => parse(text);
    },
  },
];
