import { parse as bufParse, celEnv, isCelError, isCelList, isCelUint, plan } from '@bufbuild/cel';
import fc from 'fast-check';
import {
  adaptDynamic,
  type Bindings,
  BudgetExceeded,
  bindings,
  check,
  compile,
  createEnvironment,
  Double,
  DYN,
  type Evaluation,
  EvaluationError,
  ExpressionError,
  INT,
  KUBERNETES_COSTS,
  kubernetesLibraries,
  ListValue,
  listOf,
  ObjectValue,
  print,
  type SchemaType,
  STRING,
  schemaType,
  twoVariableComprehensions,
  Uint,
  type Value,
} from 'orch-apiserver/cel';
import { expect, it } from 'vitest';
import { equal } from '../../src/cel/values/equality.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(5_000);
const TIMEOUT = Math.max(300_000, RUNS * 30);
const LIMIT = 20_000;

/** An object with a schema, whose members are read without converting the containing values. */
const OBJECT = {
  name: 'web',
  port: 80,
  spec: { mode: '', on: true, deep: { level: 2 } },
  items: [{ name: 'a', port: 1, tags: ['x'] }, { name: 'web', port: 80 }, { name: 'c' }],
};
const deep = { type: 'object', properties: { level: { type: 'integer' }, gone: { type: 'string' } } };
const item = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    port: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const schema = openApiToSchema({
  type: 'object',
  properties: {
    name: { type: 'string' },
    port: { type: 'integer' },
    gone: { type: 'string' },
    spec: { type: 'object', properties: { mode: { type: 'string' }, on: { type: 'boolean' }, deep } },
    items: { type: 'array', items: item },
  },
});
const place = schemaType(schema, { name: 'self' }) as SchemaType;

const environments = [undefined, KUBERNETES_COSTS].map((costs) =>
  createEnvironment({
    libraries: [...kubernetesLibraries(31), bindings, twoVariableComprehensions],
    variables: [
      { name: 'd', type: DYN },
      { name: 'n', type: INT },
      { name: 's', type: STRING },
      { name: 'ints', type: listOf(INT) },
      { name: 'self', type: place.type },
    ],
    ...(costs === undefined ? {} : { costs }),
  }),
);
const VALUES: Bindings = {
  d: adaptDynamic({ a: 1, b: 'x', c: [1, 2, 'y'], e: { f: null, g: 2.5 } }) as Value,
  n: 7,
  s: 'a b',
  ints: adaptDynamic([3, 1, 2]) as Value,
  self: place.read(OBJECT) as Value,
};

const ATOMS = [
  '1',
  '0',
  '-1',
  '9223372036854775807',
  '2u',
  '1.5',
  "'a'",
  "''",
  "'12'",
  "b'x'",
  'true',
  'false',
  'null',
  '[]',
  '{}',
  'n',
  's',
  'd',
  'ints',
  'd.a',
  'd.b',
  'd.c',
  'd.e.g',
  'd.nothing',
  'x',
  'y',
  'self.name',
  'self.port',
  'self.gone',
  'self.items',
  'self.items[1]',
  'self.spec.on',
  'self.spec.deep.level',
  'has(self.spec.deep.gone)',
  'x.name',
  'x.port',
  'has(x.tags)',
  'int',
  "duration('1h')",
  "timestamp('2020-02-29T00:00:00Z')",
  "quantity('1Gi')",
  "ip('10.0.0.1')",
  "cidr('10.0.0.0/8')",
  "url('https://a/b?c=d')",
  'optional.none()',
  'd.?a',
  'd[?"q"]',
  'ints[?1]',
];
const UNARY = [
  '!A',
  '-A',
  'size(A)',
  'A.size()',
  'int(A)',
  'uint(A)',
  'double(A)',
  'string(A)',
  'bytes(A)',
  'bool(A)',
  'type(A)',
  'dyn(A)',
  'duration(A)',
  'timestamp(A)',
  '[A]',
  '{A: 1}',
  '{"k": A}',
  'A.k',
  'has(A.k)',
  'A[0]',
  'A.sum()',
  'A.min()',
  'A.isSorted()',
  'A.trim()',
  'A.upperAscii()',
  'A.split("")',
  'A.join("-")',
  'quantity(A)',
  'isURL(A)',
  'isIP(A)',
  'optional.of(A)',
  'A.hasValue()',
  'A.value()',
  'A.getFullYear()',
  'A.getHours("Europe/Berlin")',
  "A.matches('^a+')",
  'A.find("[a-z]")',
  'strings.quote(A)',
  'A.orValue(1)',
  'optional.ofNonZeroValue(A)',
];
const BINARY = [
  'A + B',
  'A - B',
  'A * B',
  'A / B',
  'A % B',
  'A == B',
  'A != B',
  'A < B',
  'A >= B',
  'A && B',
  'A || B',
  'A in B',
  '[A, B]',
  '{A: B}',
  'A[B]',
  'A[?B]',
  'A ? B : 1',
  'A.all(x, B)',
  'A.exists(x, B)',
  'A.exists_one(x, B)',
  'A.map(x, B)',
  'A.filter(x, B)',
  'A.contains(B)',
  'A.startsWith(B)',
  'A.indexOf(B)',
  'A.replace(B, "q")',
  '"%s %d".format([A, B])',
  'cel.bind(y, A, B)',
  'A.optMap(x, B)',
  'A.all(x, y, B)',
  'A.transformList(x, y, B)',
  'A.transformMap(x, y, B)',
  'sets.contains(A, B)',
  'A.or(B)',
  'A.compareTo(B)',
  'A.containsIP(B)',
];

const expression: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.tuple(fc.constantFrom(...UNARY), tie('tree')).map(([form, a]) => form.replace('A', `(${a})`)),
    fc
      .tuple(fc.constantFrom(...BINARY), tie('tree'), tie('tree'))
      .map(([form, a, b]) => form.replace(/[AB]/g, (letter) => `(${letter === 'A' ? a : b})`)),
  ),
})).tree;

type Answer = Evaluation | 'refused' | 'exceeded';

function answer(source: string, index: number, options: { checked: boolean; fold: boolean }, values = VALUES): Answer {
  const environment = environments[index];
  if (environment === undefined) throw new TypeError('no environment');
  try {
    const ast = environment.parse(source);
    const program = compile(environment, options.checked ? check(environment, ast) : ast, { fold: options.fold });
    return program.evaluate(values, undefined, LIMIT);
  } catch (error) {
    if (error instanceof ExpressionError) return 'refused';
    if (error instanceof BudgetExceeded) return 'exceeded';
    throw error;
  }
}

function same(a: Answer, b: Answer): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a.cost !== b.cost) return false;
  const [x, y] = [a.outcome, b.outcome];
  if (x instanceof EvaluationError || y instanceof EvaluationError) {
    return x instanceof EvaluationError && y instanceof EvaluationError && x.message === y.message;
  }
  // A value that does not equal itself (NaN) does so in both engines.
  return equal(x, y) || JSON.stringify(x, show) === JSON.stringify(y, show);
}
const show = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

it(
  'random expressions have the same value and cost with and without constant folding, and never exceed a limit',
  () => {
    let accepted = 0;
    fc.assert(
      fc.property(expression, fc.boolean(), fc.constantFrom(0, 1), (source, checked, index) => {
        const folded = answer(source, index, { checked, fold: true });
        const plain = answer(source, index, { checked, fold: false });
        if (typeof folded !== 'string') {
          accepted++;
          expect(folded.cost).toBeLessThanOrEqual(LIMIT);
        }
        expect(same(folded, plain), `${JSON.stringify(folded, show)}\n${JSON.stringify(plain, show)}`).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 10);
  },
  TIMEOUT,
);

it(
  'printed expressions have the same value and cost',
  () => {
    fc.assert(
      fc.property(expression, fc.boolean(), (source, checked) => {
        const environment = environments[0];
        let printed: string;
        try {
          printed = print(environment?.parse(source) as never);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          return;
        }
        const options = { checked, fold: true };
        expect(same(answer(source, 0, options), answer(printed, 0, options)), printed).toBe(true);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

const costOf = (answered: Answer) => (typeof answered === 'string' ? answered : answered.cost);
const holdsObjects = (answered: Answer): boolean =>
  typeof answered !== 'string' && answered.outcome instanceof ObjectValue;

it(
  'objects with a schema have the same results as the same JSON without a schema',
  () => {
    const plain = { ...VALUES, self: adaptDynamic(OBJECT) as Value };
    const late = { ...VALUES, self: () => place.read(OBJECT) };
    // The type of an object, and whether it equals a map, depend on its schema.
    const own = expression.filter((source) => source.includes('self') && !/type\(|dyn\(|[[{]|d\b/.test(source));
    let compared = 0;
    fc.assert(
      fc.property(own, (source) => {
        const options = { checked: true, fold: true };
        const got = answer(source, 1, options);
        if (got !== 'refused') compared++;
        const other = answer(source, 1, options, plain);
        if (holdsObjects(got)) expect(costOf(got), source).toBe(costOf(other));
        else expect(same(got, other), source).toBe(true);
        expect(same(got, answer(source, 1, options, late)), source).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 10);
  },
  TIMEOUT,
);

it(
  'expressions that the checker accepts do not fail for their types',
  () => {
    // For dyn, the types of the values decide. `containsIP` of a string that is not an address is 'no such overload', as in upstream.
    const typed = expression.filter((source) => !/\bd\b|dyn|containsIP|null|\[\]|\{\}|none|\?|[[{]/.test(source));
    fc.assert(
      fc.property(typed, (source) => {
        const got = answer(source, 0, { checked: true, fold: true });
        if (typeof got === 'string' || !(got.outcome instanceof EvaluationError)) return;
        expect(got.outcome.message).not.toMatch(/no such overload|no such attribute|unsupported/);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

/** Returns a value of either engine as text; undefined for values that they represent differently. */
function ours(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint') return `int ${value}`;
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (!(value instanceof ListValue)) return undefined;
  return listed(Array.from({ length: value.size }, (_, i) => ours(value.at(i))));
}
function theirs(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `int ${value}`;
  if (typeof value === 'number') return `double ${value}`;
  if (isCelUint(value)) return `uint ${value.value}`;
  return isCelList(value) ? listed([...value].map(theirs)) : undefined;
}
const listed = (texts: readonly (string | undefined)[]) =>
  texts.includes(undefined) ? undefined : `[${texts.join(', ')}]`;

/** Returns whether the other engine is known to differ. */
const OTHERWISE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /\bduration\(\((?!')|\bint\(.*duration/,
    'ints and durations are converted by seconds there, by nanoseconds in the API',
  ],
  [/\btimestamp\(\((?!')/, 'times made of ints are wrong there: int(timestamp(1)) is 0'],
];

it(
  'has the results of @bufbuild/cel wherever both return a value',
  () => {
    const bindings = {
      n: 7n,
      s: 'a b',
      ints: [3n, 1n, 2n],
      d: { a: 1n, b: 'x', c: [1n, 2n, 'y'], e: { f: null, g: 2.5 } },
    };
    let compared = 0;
    fc.assert(
      fc.property(expression, (source) => {
        if (OTHERWISE.some(([pattern]) => pattern.test(source))) return;
        const mine = answer(source, 0, { checked: false, fold: true });
        if (typeof mine === 'string' || mine.outcome instanceof EvaluationError) return;
        let other: unknown;
        try {
          other = plan(celEnv(), bufParse(source))(bindings);
        } catch {
          return;
        }
        if (isCelError(other)) return;
        const [a, b] = [ours(mine.outcome), theirs(other)];
        if (a === undefined || b === undefined) return;
        compared++;
        expect(a, source).toBe(b);
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 50);
  },
  TIMEOUT,
);
