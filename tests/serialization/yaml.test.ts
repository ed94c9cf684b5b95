import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/json/decode-error.js';
import { readTypeMeta, unrecognized } from '../../src/meta/type-meta.js';
import { decodeYaml, MAX_YAML_BYTES } from '../../src/serialization/yaml/decode.js';
import { compareKeys, stringifyYaml } from '../../src/serialization/yaml/encode.js';
import { cpuTime } from '../support/cpu-time.js';
import { propertyRuns } from '../support/property-runs.js';
import { goldenSteps, hasSharedData } from '../support/shared-data.js';
import { messageOf, recordedRequests } from './golden.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const decode = async (text: string) => (await decodeYaml(bytes(text))).value;
const errorOf = async (run: Promise<unknown>): Promise<string> => {
  try {
    await run;
    return '';
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
};

describe.skipIf(!hasSharedData)('recorded YAML bodies', async () => {
  const requests = hasSharedData
    ? [...(await recordedRequests('validation/levels-yaml')), ...(await recordedRequests('negotiation/content-types'))]
    : [];
  it.each(requests.filter((r) => r.options.type === 'application/yaml' && r.answer))(
    '$title',
    async ({ body, answer }) => {
      const problem = await errorOf(decodeYaml(body).then(({ value }) => readTypeMeta(value)));
      const message = messageOf(answer);
      expect(problem === '' ? '' : unrecognized('ConfigMap', problem, body).message).toBe(
        message.startsWith('the object provided is unrecognized') ? message : '',
      );
      if (problem !== '') return;
      const { duplicates } = await decodeYaml(body, { duplicates: true });
      const recorded = [message, ...[answer?.headers?.['warning'] ?? []].flat()].flatMap((text) =>
        [...text.replaceAll('\\"', '"').matchAll(/line \d+: key "[^"]*" already set in map/g)].map(String),
      );
      if (recorded.length > 0) expect(duplicates).toEqual(recorded);
    },
  );
});

describe.skipIf(!hasSharedData)('recorded YAML answers', () => {
  const files = ['negotiation/accept', 'negotiation/table-options', 'watch/errors'];
  const answers = (hasSharedData ? files : []).flatMap((file) =>
    goldenSteps(file).filter((step) => typeof step.body === 'string' && step.body.startsWith('apiVersion: ')),
  );
  // Names were put in place of what differs between runs; some of them need quotes that the values did not.
  const original = (text: string) =>
    text
      .replaceAll('<time>', '2024-01-01T00:00:00Z')
      .replaceAll('"<rv>"', '"1"')
      .replaceAll(/<([a-z]+\d?)(?:#\d)?>/g, 'x-$1');
  it('exist', () => expect(answers.length).toBeGreaterThan(6));
  it.each(answers)('$step', async ({ body }) => {
    const text = original(String(body));
    expect(stringifyYaml(await decode(text))).toBe(text);
  });
});

describe('decodeYaml', () => {
  it.each([
    ['', null],
    ['--- \n', null],
    ['yes', true],
    ['[y, N, on, Off, "yes", ~, null, ""]', [true, false, true, false, 'yes', null, null, '']],
    [
      '[012, 0o17, 0x1F, 0b11, 1_000, -5, +3, 08, 1e3, .5, 1., 1:30]',
      [10, 15, 31, 3, 1000, -5, 3, 8, 1000, 0.5, 1, '1:30'],
    ],
    ['[.1_0, ._1]', [0.1, '._1']],
    // Beyond 64 bits only decimal digits make a number.
    ['[0x10000000000000000, 0777777777777777777777777]', ['0x10000000000000000', Number('0777777777777777777777777')]],
    ['[.5e400, 5.e400, -.5e3]', ['.5e400', '5.e400', -500]],
    ['[2024-01-01, 2024-01-01T00:00:00Z]', ['2024-01-01', '2024-01-01T00:00:00Z']],
    ['{y: 1, on: 2, 5: 3, 1.5: 4, "y": 6}', { 1.5: 4, 5: 3, true: 2, y: 6 }],
    ['a: !!str 5\nb: !!float 5\nc: !!binary aGk=\nd: !own x', { a: '5', b: 5, c: 'hi', d: 'x' }],
    ['a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n', { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } }],
    ['<<: [{a: 1}, {a: 2, b: 3}]', { a: 1, b: 3 }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y\n', { a: 'x\ny\n', b: 'x y' }],
    ['a: |\n  x\n  y', { a: 'x\ny' }],
    ['a: |-\n  x', { a: 'x' }],
    ['a: 1\n---\n[broken', { a: 1 }],
    ['{"a":"\u{1f600}\\u00e9\\\\/","b":[1]}', { a: '\u{1f600}é\\/', b: [1] }],
    ['[-0x8000000000000000, -0x8000000000001000]', [-(2 ** 63), '-0x8000000000001000']],
    ['{.inf: 1, -.Inf: 2, .NaN: 3}', { '-.inf': 2, '.inf': 1, '.nan': 3 }],
    // Nothing that follows a document in brackets or quotes is read.
    ['{"a":1}}', { a: 1 }],
    ['"a" b', 'a'],
    ['\ufeffa: 1', { a: 1 }],
    // Lines within quotes and brackets may have any indentation.
    ['a:\n  b: "x\ny"\n  c: \'x\n\n z\'\nd: 1', { a: { b: 'x y', c: 'x\nz' }, d: 1 }],
    ['a:\n  - "x\n---y"\n  - {\nb: [\nc\n],\n}\nd: 1', { a: ['x ---y', { b: ['c'] }], d: 1 }],
    // Tabs are white space within lines and brackets, and where a plain scalar may continue.
    [
      'a:\t1\t# x\nb: {\n\tc: 1,\n\td\n\t}\ne: "x"\t\nf: g\n \t\n\nh: &i\tj',
      { a: 1, b: { c: 1, d: null }, e: 'x', f: 'g', h: 'j' },
    ],
    ['a: b\n \tc', { a: 'b c' }],
    ['a: |\n x\n \ty\n', { a: 'x\n\ty\n' }],
    ['a: 1\n...\n\t', { a: 1 }],
    // Within brackets, a colon ends a key only before white space or behind a quote, and `?` needs no white space behind it.
    ['{a:}', { 'a:': null }],
    ['{a:,b:c, d: e:f}', { 'a:': null, 'b:c': null, d: 'e:f' }],
    ['{"a":b, \'c\':d}', { a: 'b', c: 'd' }],
    ['[a:, -, -b, ?c]', ['a:', '-', '-b', { c: null }]],
    ['{a: b\n c\n\n d#e #f\n}', { a: 'b c\nd#e' }],
    ['a: [b]#c\nd: "e"#f\n', { a: ['b'], d: 'e' }],
    // NEL and a lone CR are line breaks.
    ['a: b\x85c: >\x85  d\x85  e', { a: 'b', c: 'd e' }],
    ['a: b\rc: "d\r\r  e"', { a: 'b', c: 'd\ne' }],
    ['{"a": "b\x85c"}', { a: 'b c' }],
  ])('%j', async (text, value) => expect(JSON.stringify(await decode(text))).toBe(JSON.stringify(value)));

  it.each([
    ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
    ['a: b\n c: d\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a: b\nc\n', "yaml: line 3: could not find expected ':'"],
    ['a: "x\n', 'yaml: line 2: found unexpected end of stream'],
    ['a: "\\q"\n', 'yaml: found unknown escape character'],
    ['- "x\n---\n"', 'yaml: line 2: found unexpected document indicator'],
    ...['\ta: 1', '-\ta', '?\ta', '\t'].map((t) => [t, 'yaml: found character that cannot start any token']),
    ...['a: "1"\n\t\nb: 1', 'a:\n\tb: 1', '# a\n\t# b\n', '? a\n:\tb', '- [1]\n \t'].map((t) => [
      t,
      'yaml: line 2: found character that cannot start any token',
    ]),
    ...['a: 1\n\t\nb: 1', 'a: b\n\tc', '- a\n\t- b', '- a: b\n  \t'].map((t) => [
      t,
      'yaml: line 2: found a tab character that violates indentation',
    ]),
    ['a: |\n\tx', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: |\n  x\n \ty', 'yaml: line 3: found a tab character where an indentation space is expected'],
    ['a: @x\n', 'yaml: found character that cannot start any token'],
    ['a: {b', "yaml: line 1: did not find expected ',' or '}'"],
    ['- a\nb: c\n', "yaml: line 1: did not find expected '-' indicator"],
    ['a:\n  - b\n c: d\n', 'yaml: line 2: did not find expected key'],
    ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
    ['a: &x [*x]\n', "yaml: anchor 'x' value contains itself"],
    ['a: .nan\n', 'json: unsupported value: NaN'],
    ['? [a]\n: b\n', 'yaml: invalid map key: []interface {}{"a"}'],
    ['a: {{ b }}\n', 'yaml: invalid map key: map[interface {}]interface {}{"b":interface {}(nil)}'],
    ['~: 1\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1'],
    ['{"a":"\\ud83d\\ude00"}', 'yaml: found invalid Unicode character escape code'],
    ['{"a":1,\n"b":"\\/"}', 'yaml: line 2: found unknown escape character'],
    ['a: "\\xg"\n', 'yaml: did not find expected hexdecimal number'],
    ['a: !!binary aGk\n', 'yaml: !!binary value contains invalid base64 data'],
    ['%YAML 1.2\n---\na: 1\n', 'yaml: found incompatible YAML document'],
    ['%x\n---\na: 1\n', 'yaml: found unknown directive name'],
    ['a: "x" y\n', 'yaml: did not find expected key'],
    ['- "x" y\n', "yaml: did not find expected '-' indicator"],
    ['a: 1\n- b\n', 'yaml: line 1: did not find expected key'],
    ['a: ? b\n', 'yaml: mapping keys are not allowed in this context'],
    ['--- a: b\n', 'yaml: mapping values are not allowed in this context'],
    ['[a, , b]\n', 'yaml: did not find expected node content'],
    ['a: !!\n', 'yaml: did not find expected tag URI'],
    ['a: !!int x\n', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: \u0007\n', 'yaml: control characters are not allowed'],
  ])('%j is refused', async (text, message) => expect(await errorOf(decode(text))).toEqual(message));

  it.each(['{:a}', '[:a]', '{??}', '{a?}', '[a ?]'])('%j is refused', async (text) =>
    expect(await errorOf(decode(text))).not.toBe(''),
  );

  it.each([
    ['invalid leading UTF-8 octet', [0xff]],
    ['invalid trailing UTF-8 octet', [0xc3, 0x22]],
    ['incomplete UTF-8 octet sequence', [0xe2, 0x82]],
    ['invalid length of a UTF-8 sequence', [0xc0, 0x80]],
    ['invalid Unicode character', [0xed, 0xa0, 0x80]],
    ['invalid Unicode character', [0xf4, 0x90, 0x80, 0x80]],
    ['control characters are not allowed', [0x01, 0xff]],
    ['control characters are not allowed', [0xef, 0xbf, 0xbf]],
  ])('refuses a byte sequence that is not text: %s', async (problem, octets) =>
    expect(await errorOf(decodeYaml(Uint8Array.of(0x61, 0x3a, 0x20, ...octets)))).toBe(`yaml: ${problem}`),
  );
  it('keeps __proto__ as a member', async () => {
    const value = await decode('__proto__: {x: 1}\nb: 2\n');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
  it('reports duplicates in JSON by their lines', async () => {
    expect((await decodeYaml(bytes('{"a":1,\n"a":2}'), { duplicates: true })).duplicates).toEqual([
      'line 2: key "a" already set in map',
    ]);
  });
});

describe('hostile YAML', () => {
  const levels = (n: number) =>
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: n }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]\n`).join('')}`;
  it.each([
    ['an alias bomb', levels(9), 'yaml: document contains excessive aliasing'],
    [
      'a merge bomb',
      `a: &a {${Array.from({ length: 500 }, (_, i) => `k${i}: 1`).join()}}\nb: &b [${Array(500).fill('*a').join()}]\nc: [${Array(500).fill('*b').join()}]`,
      'yaml: document contains excessive aliasing',
    ],
    ['a million brackets', '['.repeat(1_000_000), 'yaml: exceeded max depth of 1000'],
    ['many braces', '{a: '.repeat(100_000), 'yaml: exceeded max depth of 1000'],
    ['many dashes', '- '.repeat(100_000), 'yaml: exceeded max depth of 1000'],
    [
      'deep indentation',
      Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      expect.stringMatching(/^$|exceeded max depth/),
    ],
    [
      'too many bytes',
      `a: ${'x'.repeat(MAX_YAML_BYTES)}`,
      `yaml: document is longer than ${MAX_YAML_BYTES} bytes; send it as JSON`,
    ],
  ])('%s', async (_, text, message) => {
    const start = cpuTime();
    expect(await errorOf(decode(text))).toEqual(message);
    expect(cpuTime() - start).toBeLessThan(15_000);
  });
  it('reads JSON of any allowed size', async () => {
    expect(await decode(JSON.stringify({ a: 'x'.repeat(2 * MAX_YAML_BYTES) }))).toHaveProperty('a');
  });
});

describe('stringifyYaml', () => {
  const long = 'word '.repeat(40).trim();
  it.each([
    [{ b: [], a: {}, c: null, d: true }, 'a: {}\nb: []\nc: null\nd: true\n'],
    [{ l: [1, [2, 3], { x: 1, z: [4] }, []] }, 'l:\n- 1\n- - 2\n  - 3\n- x: 1\n  z:\n  - 4\n- []\n'],
    [['a', { b: 1 }], '- a\n- b: 1\n'],
    [
      ['y', 'null', '5', '', ' a', 'a: b', "it's: x", '#', '- a', '-a', '2024-01-01', '<<', '1:30', 'a#b', ':a', '---'],
      "- \"y\"\n- \"null\"\n- \"5\"\n- \"\"\n- ' a'\n- 'a: b'\n- 'it''s: x'\n- '#'\n- '- a'\n- -a\n- \"2024-01-01\"\n- <<\n- \"1:30\"\n- a#b\n- :a\n- '---'\n",
    ],
    [
      { a: 'x\ny', b: 'x\n', c: 'x\n\n', d: '\nx', e: ' x\ny\n', f: 'x \ny' },
      'a: |-\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |2-\n\n  x\ne: |2\n   x\n  y\nf: "x \\ny"\n',
    ],
    [
      { a: 'tab\t', aa: 'tab\t\n', b: '\u{1f600}', c: '\u0000\u001b\u0085\ufeff', d: 'é' },
      'a: "tab\\t"\naa: "tab\\t\\n"\nb: "\\U0001F600"\nc: "\\0\\e\\N\\uFEFF"\nd: é\n',
    ],
    [
      // Integers beyond 64 bits are numbers of the other sort.
      { num: [1, 1.5, 1e21, 1e-7, 1234567.5, -0, 1e19, 1e20, -1e19] },
      'num:\n- 1\n- 1.5\n- 1e+21\n- 1e-07\n- 1.2345675e+06\n- 0\n- 10000000000000000000\n- 1e+20\n- -1e+19\n',
    ],
    [{ a: long }, `a: ${long.slice(0, 79)}\n  ${long.slice(80, 159)}\n  ${long.slice(160)}\n`],
    [{ n10: 1, n9: 2, 'a.b': 3, ab: 4, B: 5 }, 'B: 5\na.b: 3\nab: 4\nn9: 2\nn10: 1\n'],
    [{ ['k'.repeat(129)]: 1 }, `? ${'k'.repeat(129)}\n: 1\n`],
    [{ a: 'all:\n\tmake\n' }, 'a: "all:\\n\\tmake\\n"\n'],
    [
      { 'a\nb': [1, { c: 2 }], 'd\ne': { f: 1, g: 2 } },
      '? |-\n  a\n  b\n: - 1\n  - c: 2\n? |-\n  d\n  e\n: f: 1\n  g: 2\n',
    ],
    [['2024-02-29', '2023-02-29', '2024-1-1 1:2:3,5'], '- "2024-02-29"\n- 2023-02-29\n- "2024-1-1 1:2:3,5"\n'],
    [{ a: undefined, b: 1 }, 'b: 1\n'],
    ['text', 'text\n'],
    [5, '5\n'],
  ])('%j', (value, text) => expect(stringifyYaml(value)).toBe(text));

  const odd = fc.string({
    unit: fc.constantFrom(
      ...'ab 1:-#\n\t"\'\\{}[],&*!|>%@`?~.<=+_é\u2028\u0085\u0000\r',
      '\u{1f600}',
      '0x',
      'yes',
      '---',
    ),
  });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      odd,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.string(),
      fc.array(tie('json')),
      // Like upstream, the key << is written as it is, and is read as a merge.
      fc.dictionary(
        odd.filter((key) => key !== '<<'),
        tie('json'),
      ),
    ),
  }));
  it('decodes what it encoded', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(await decode(stringifyYaml(plain))).toEqual(plain);
      }),
      { numRuns: propertyRuns(800) },
    );
  });
  it('sorts keys by numbers of 64 bits, which overflow', () => {
    expect(stringifyYaml({ 1: 'b', '9223372036854775808': 'a' })).toBe('"9223372036854775808": a\n"1": b\n');
    expect(stringifyYaml({ '9223372036854775807': 'b', 1: 'a' })).toBe('"1": a\n"9223372036854775807": b\n');
  });

  it('sorts keys', () => {
    fc.assert(
      fc.property(odd, odd, (a, b) => void expect(Math.sign(compareKeys(a, b)) + Math.sign(compareKeys(b, a))).toBe(0)),
    );
  });
});
