import { checkRule } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

const text = { type: 'string' };
const list = (items: object, type = 'atomic') => ({ type: 'array', items, 'x-kubernetes-list-type': type });
const schema = {
  type: 'object',
  properties: {
    texts: list(text),
    nullable: list({ ...text, nullable: true }),
    numbers: list({ type: 'integer' }),
    durations: list({ ...text, format: 'duration' }),
    times: list({ ...text, format: 'date-time' }),
    lists: list(list(text)),
    set: list(text, 'set'),
    keyed: {
      ...list({ type: 'object', properties: { k: text } }, 'map'),
      'x-kubernetes-list-map-keys': ['k'],
    },
    map: { type: 'object', additionalProperties: text },
    object: { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
    flag: { type: 'boolean' },
  },
};
const self = {
  texts: ['a'],
  nullable: [null],
  numbers: [1],
  durations: ['1s'],
  times: ['2024-01-01T00:00:00Z'],
  lists: [['a']],
  set: ['a'],
  keyed: [{ k: 'a' }],
  map: { a: 'b' },
  object: { a: { b: 'c' } },
  flag: true,
};
const judge = (rule: string) => checkRule(schema, rule, { self });

describe('a list with a schema to which a list is added', () => {
  it.each([
    ['(self.durations + [duration("1s")])[1] == duration("1s")', 'expected string, got time.Duration'],
    ['(self.times + [timestamp(0)])[1] == timestamp(0)', 'expected string, got time.Time'],
    ['(self.texts + self.nullable)[1] == "a"', 'expected string, got structpb.NullValue'],
    ['(dyn(self.numbers) + dyn(self.texts))[1] == 1', 'expected int, got string'],
    ['(dyn(self.numbers) + [1.5])[1] == 1.5', 'expected int, got float64'],
    ['(dyn(self.texts) + [1u])[1] == 1u', 'expected string, got uint64'],
    ['(dyn(self.texts) + [b"a"])[1] == b"a"', 'expected string, got []uint8'],
    ['(self.lists + [["b"]])[1] == ["b"]', 'expected an array for the provided schema with type=array'],
    ['(dyn(self.keyed) + [1]).size() == 2', 'expected a map for the provided schema with type=object'],
  ])('reads the elements as its own items: %s', (rule, error) => {
    expect(judge(rule).errors.join()).toContain(`invalid data, ${error}`);
  });
  it.each([
    '(self.durations + [duration("1s")]).size() == 2',
    '(self.durations + self.durations)[1] == duration("1s")',
    '(self.texts + ["b"] + ["c"])[2] == "c"',
    '(self.lists + [self.texts])[1] == ["a"]',
    '(self.lists + [["b"] + ["c"]])[1] == ["b", "c"]',
    '(self.keyed + self.keyed.filter(x, true)).size() == 1',
    '([duration("1s")] + self.durations)[1] == duration("1s")',
    '(self.numbers + self.numbers.map(x, x + 1))[1] == 2',
  ])('accepts elements that its items describe: %s', (rule) => expect(judge(rule).result).toBe('valid'));
});

describe('a list, map or object with a schema that is compared with a value of another kind', () => {
  it.each([
    'dyn(self.texts) == dyn(1)',
    'dyn(self.set) == dyn(1)',
    'dyn(self.keyed) == dyn(1)',
    'dyn(self.texts + ["b"]) == dyn(1)',
    'dyn(self.lists) == dyn(["a"])',
    'dyn(self.map) == dyn(1)',
    'dyn(self.object) == dyn(self.texts)',
  ])('has no equality: %s', (rule) => {
    expect(judge(rule).errors.join()).toContain("'no such overload'");
    expect(judge(rule.replace('==', '!=')).result).toBe('valid');
  });
  it.each([
    'dyn(1) != dyn(self.texts)',
    'dyn([1]) != dyn(1)',
    'dyn(["a"]) != dyn(self.lists)',
    'dyn({"a": 1}) != dyn(1)',
  ])('differs from a value without a schema: %s', (rule) => expect(judge(rule).result).toBe('valid'));
});

describe('a map or an object with a schema', () => {
  it.each([
    'dyn(self.map)[1] == "b"',
    'dyn(self.object)[true] == "b"',
    '1 in dyn(self.map)',
    '1u in dyn(self.object)',
    'dyn(self.map)[?1.5].hasValue()',
  ])('has no keys but strings: %s', (rule) => expect(judge(rule).errors.join()).toContain("'no such overload'"));
  it('is an operand of `in` like other maps', () => {
    expect(
      judge('"a" in self.map && !("b" in self.map) && "a" in dyn(self.object) && !(1 in dyn({"a": 1}))').result,
    ).toBe('valid');
  });
});

it.each([
  ['texts', 'List'],
  ['set', 'SetList'],
  ['keyed', 'MapList'],
  ['map', 'Map'],
  ['object', 'Map'],
])('an index that is the value of %s is refused with the name of its type in upstream', (property, name) => {
  const { errors } = judge(`["a"][dyn(self.${property})] == "a"`);
  expect(errors.join()).toContain(`invalid qualifier type: *common.unstructured${name}`);
});

it.each([
  ['has((self.flag ? self.object : self.object).a)', 3],
  ['has((self.flag ? self.object : self.object).a.b)', 4],
  ['has(self.object.a)', 2],
  ['has((true ? {"a": 1} : {"a": 2}).a)', 0],
])('%s costs %d, because a conditional expression does not begin with a name', (rule, cost) => {
  expect(judge(rule).actualCost).toBe(cost);
});
