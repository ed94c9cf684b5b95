import { checkRule, compilePolicy } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';

// The functions that expressions of `orch` can call (spec 18.7, 18.8), each with a value that only this function returns.
const SCHEMA = {
  type: 'object',
  properties: {
    s: { type: 'string' },
    n: { type: 'integer' },
    list: { type: 'array', items: { type: 'integer' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    either: { 'x-orch-int-or-string': true },
    bytes: { type: 'string', format: 'byte' },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time' },
    span: { type: 'string', format: 'duration' },
    ratio: { type: 'number' },
    set: { type: 'array', 'x-orch-list-type': 'set', items: { type: 'string' } },
    'a-b': { type: 'string' },
    'c.d': { type: 'string' },
    'e/f': { type: 'string' },
    g__h: { type: 'string' },
    if: { type: 'string' },
  },
};
const self = {
  s: 'Hello',
  n: 3,
  list: [1, 2, 3, 2],
  map: { k: 'v' },
  either: 5,
  bytes: 'aGk=',
  day: '2030-01-02',
  time: '2030-01-02T03:04:05Z',
  span: '90s',
  ratio: 1.5,
  set: ['a', 'b'],
  'a-b': '1',
  'c.d': '2',
  'e/f': '3',
  g__h: '4',
  if: '5',
};
const check = (rule: string, more: object = {}) => checkRule(SCHEMA, rule, { self, ...more });

describe.each<[library: string, rules: readonly string[]]>([
  [
    'macros',
    [
      'has(self.s) && !has(self.map.none)',
      'self.list.all(x, x > 0) && !self.list.all(x, x > 1)',
      'self.list.exists(x, x == 3) && !self.list.exists(x, x == 4)',
      'self.list.exists_one(x, x == 3) && !self.list.exists_one(x, x == 2)',
      'self.list.map(x, x * 2) == [2, 4, 6, 4]',
      'self.list.filter(x, x == 2) == [2, 2]',
    ],
  ],
  [
    'strings',
    [
      'self.s.charAt(1) == "e"',
      'self.s.indexOf("l") == 2 && self.s.lastIndexOf("l") == 3',
      'self.s.lowerAscii() == "hello" && self.s.upperAscii() == "HELLO"',
      'self.s.replace("l", "L") == "HeLLo" && self.s.replace("l", "L", 1) == "HeLlo"',
      '"a,b".split(",") == ["a", "b"] && ["a", "b"].join("-") == "a-b"',
      'self.s.substring(1, 3) == "el" && self.s.substring(3) == "lo"',
      '"  x ".trim() == "x"',
    ],
  ],
  [
    'lists',
    [
      'self.list.indexOf(2) == 1 && self.list.lastIndexOf(2) == 3',
      'self.list.min() == 1 && self.list.max() == 3 && self.list.sum() == 8',
      '!self.list.isSorted() && [1, 2].isSorted()',
    ],
  ],
  ['patterns', ['"a1b22".find("[0-9]+") == "1"', '"a1b22".findAll("[0-9]+") == ["1", "22"]']],
  [
    'URLs',
    [
      'isURL("https://a.example:80/x") && !isURL("x y")',
      'url("https://a.example:80/x").getScheme() == "https"',
      'url("https://a.example:80/x").getHost() == "a.example:80"',
      'url("https://a.example:80/x").getHostname() == "a.example"',
      'url("https://a.example:80/x").getPort() == "80"',
      'url("https://a.example/a b").getEscapedPath() == "/a%20b"',
      'url("https://a.example/?k=v&k=w").getQuery() == {"k": ["v", "w"]}',
    ],
  ],
  [
    'quantities',
    [
      'isQuantity("1.5Gi") && !isQuantity("1.5Gig")',
      'quantity("2k").isInteger() && quantity("2k").asInteger() == 2000',
      '!quantity("0.5").isInteger() && quantity("0.5").asApproximateFloat() == 0.5',
      // This is a function, not a member.
      'sign(quantity("-1")) == -1 && sign(quantity("2")) == 1',
      'quantity("1").add(quantity("2")) == quantity("3") && quantity("1").add(2) == quantity("3")',
      'quantity("3").sub(quantity("2")) == quantity("1")',
      'quantity("1").isLessThan(quantity("2")) && quantity("2").isGreaterThan(quantity("1"))',
      'quantity("1k").compareTo(quantity("1000")) == 0',
    ],
  ],
  [
    'optional values and numbers of several types',
    ['self.?s.orValue("") == "Hello" && !self.map[?"none"].hasValue()', '1 < 1.5 && 2u > 1', 'self.n >= 2.5'],
  ],
  [
    'fields by their schemas',
    [
      'self.n + 1 == 4',
      'self.ratio + 0.5 == 2.0',
      'self.map["k"] == "v" && "k" in self.map',
      'self.either == 5 && type(self.either) == int',
      'type(self) == map && type(dyn(self)) == map && type(self.map) == map && type(self.list) == list',
      'self.bytes == b"hi"',
      'self.day.getFullYear() == 2030 && self.time.getHours() == 3',
      'self.span == duration("1m30s")',
      'self.set == ["b", "a"] && self.list != [2, 2, 3, 1]',
      'self.a__dash__b + self.c__dot__d + self.e__slash__f + self.g__underscores__h + self.__if__ == "12345"',
    ],
  ],
])('%s', (_library, rules) => {
  it.each(rules.map((rule) => [rule]))('%s', (rule) => {
    expect(check(rule)).toMatchObject({ result: 'valid', errors: [] });
  });
});

describe('the authorizer', () => {
  const request = { operation: 'CREATE', name: 'web', namespace: 'default' };
  const asked: object[] = [];
  const authorize = (question: object) => {
    asked.push(question);
    return { allowed: true, reason: 'because' };
  };
  const judge = (expression: string) => {
    const policy = compilePolicy({ validations: [{ expression }] });
    return [
      policy.errors.map(({ message }) => message),
      policy.evaluate({ object: {}, request, authorize } as never, {}),
    ];
  };

  it.each([
    'authorizer.path("/metrics").check("get").allowed()',
    'authorizer.group("apps").resource("deployments").subresource("scale").namespace("ns").name("n").check("get").allowed()',
    'authorizer.group("").resource("pods").check("list").reason() == "because"',
    'authorizer.serviceAccount("ns", "app").group("").resource("pods").check("get").allowed()',
  ])('is called: %s', (expression) => {
    asked.length = 0;
    const [errors, result] = judge(expression);
    expect([errors, asked.length]).toEqual([[], 1]);
    expect(result).toMatchObject({ decisions: [{ action: 'admit' }] });
  });

  it.each([
    ['authorizer.path(" ").check("get").allowed()', 'path must not be empty'],
    ['authorizer.group("").resource(" ").check("get").allowed()', 'resource must not be empty'],
    ['authorizer.serviceAccount("N", "A").path("/x").check("get").allowed()', 'Invalid service account name'],
    ['authorizer.serviceAccount("N", "a").path("/x").check("get").allowed()', 'Invalid service account namespace'],
  ])('is not called: %s', (expression, problem) => {
    asked.length = 0;
    const [errors, result] = judge(expression);
    expect([errors, asked]).toEqual([[], []]);
    expect(JSON.stringify(result)).toContain(problem);
  });

  it('has no selectors in a new policy', () => {
    const [errors] = judge('authorizer.group("").resource("pods").fieldSelector("a=b").check("list").allowed()');
    expect(errors).toEqual([expect.stringContaining("undeclared reference to 'fieldSelector'")]);
  });
});

describe('costs', () => {
  const costOf = (rule: string, text = 'a') => check(rule, { self: { ...self, s: text } }).actualCost ?? Number.NaN;
  it('are 1 for a comparison, 40 for a list, and pattern times text for a regular expression', () => {
    expect(costOf('self.n == 3 && self.n == 3') - costOf('self.n == 3')).toBe(3); // two members are read as well
    expect(costOf('size([self.n]) == 1') - costOf('size(self.s) == 1')).toBe(40);
    const matching = (pattern: number, text: number) =>
      costOf(`self.s.matches("${'a'.repeat(pattern)}")`, 'a'.repeat(text));
    const grown = (pattern: number) => matching(pattern, 801) - matching(pattern, 1);
    expect(grown(40) / grown(20)).toBeCloseTo(2, 1);
    expect(grown(40)).toBeGreaterThan(500);
  });

  it('stop an evaluation, and refuse a rule that may be too expensive', () => {
    const nested = 'self.all(a, self.all(b, self.all(c, a + b + c > 0)))';
    const numbers = { type: 'array', maxItems: 1000, items: { type: 'integer' } };
    const found = checkRule(numbers, nested, { self: Array.from({ length: 500 }, () => 1) });
    expect(found).toMatchObject({ result: 'error', errors: [expect.stringContaining('cost')] });
    expect(checkRule(numbers, nested).estimatedCost?.max).toBeGreaterThan(10_000_000);
  });
});
