import { parseAccept } from '../../../src/serialization/accept.js';
import { parseJson } from '../../../src/serialization/json/decode.js';
import { numberTexts, strictErrors } from '../../../src/serialization/json/keys.js';
import { negotiate, parseContentType } from '../../../src/serialization/media-type.js';
import { decodeYaml } from '../../../src/serialization/yaml/decode.js';
import { type GrowthRow, numbered, row } from './measure.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

const yaml = (name: string, n: number, text: (n: number) => string): GrowthRow => ({
  name: `YAML: ${name}`,
  n,
  prepare: (size) => {
    const bytes = bytesOf(text(size));
    return () => decodeYaml(bytes, { duplicates: true });
  },
});
const json = (name: string, n: number, text: (n: number) => string): GrowthRow => ({
  name: `JSON: ${name}`,
  n,
  prepare: (size) => {
    const document = text(size);
    const bytes = bytesOf(document);
    return () => {
      parseJson(bytes, { duplicates: true });
      numberTexts(document);
    };
  },
});

const OPEN = { allowed: [], transforms: () => true };

export const rows: readonly GrowthRow[] = [
  yaml('quotes that end on the next line', 500, (n) => 'a: "\n'.repeat(n)),
  yaml('single quotes that end on the next line', 500, (n) => "a: '\n".repeat(n)),
  yaml('a long quoted text', 30_000, (n) => `a: "${'x\\n'.repeat(n)}"`),
  yaml('a quoted text of many lines', 20_000, (n) => `a: "${'x\n '.repeat(n)}"`),
  yaml('a single-quoted text of many lines', 20_000, (n) => `a: '${'x\n\n '.repeat(n)}'`),
  yaml('a plain text of many lines', 10_000, (n) => `a: ${'x\n '.repeat(n)}`),
  yaml('a folded text', 5_000, (n) => `a: >\n${'  x\n\n'.repeat(n)}`),
  yaml('a literal text', 5_000, (n) => `a: |\n${'  x\n'.repeat(n)}`),
  yaml('escapes', 10_000, (n) => `a: "${'\\u0041'.repeat(n)}"`),
  yaml('bad escapes', 2_000, (n) => `a: "${'\\q'.repeat(n)}"`),
  yaml('many keys', 500, (n) => numbered(n, (i) => `k${i}: 1\n`)),
  yaml('doubled keys', 500, (n) => 'a: 1\n'.repeat(n)),
  yaml('many items', 800, (n) => '- a\n'.repeat(n)),
  yaml('anchors', 500, (n) => numbered(n, (i) => `- &a${i} x\n`)),
  yaml('anchors and aliases', 500, (n) => numbered(n, (i) => `- &a${i} x\n- *a${i}\n`)),
  yaml('merge keys', 200, (n) => `a: &a {x: 1}\n${numbered(n, (i) => `k${i}: {<<: *a}\n`)}`),
  yaml('a flow list', 1_000, (n) => `[${'a,'.repeat(n)}]`),
  yaml('a flow map', 500, (n) => `{${numbered(n, (i) => `k${i}: 1,`)}}`),
  yaml('a flow list that never ends', 500, (n) => `{a: [${'b: "\n'.repeat(n)}`),
  yaml('deep flow lists, many', 60, (n) => '- [[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]\n'.repeat(n)),
  yaml('comments', 1_000, (n) => '# x\n'.repeat(n)),
  yaml('comments in a flow list', 2_000, (n) => `[a ${'#x\n'.repeat(n)}]`),
  yaml('tabs', 1_000, (n) => 'a:\t'.repeat(n)),
  yaml('spaces', 100_000, (n) => `a: ${' '.repeat(n)}x${' '.repeat(n)}`),
  yaml('empty lines', 20_000, (n) => `a:\n${'\n'.repeat(n)}  b: 1\n`),
  yaml('separators of documents', 20_000, (n) => '---\n'.repeat(n)),
  yaml('directives', 2_000, (n) => '%YAML 1.1\n'.repeat(n)),
  yaml('tags', 500, (n) => '- !a x\n'.repeat(n)),
  yaml('backslashes', 100_000, (n) => `a: "${'\\'.repeat(n)}`),

  json('wide', 5_000, (n) => `{${numbered(n, (i) => `"k${i}":1`, ',')}}`),
  json('doubled keys', 5_000, (n) => `{${numbered(n, () => '"a":1', ',')}}`),
  json('doubled keys below a long one', 5_000, (n) => `{"${'x'.repeat(n)}":{${numbered(n, () => '"a":1', ',')}}}`),
  json('odd numbers below a long key', 5_000, (n) => `{"${'x'.repeat(n)}":[${numbered(n, () => '1.0', ',')}]}`),
  json('odd numbers far down', 400, (n) => `${'['.repeat(n)}${numbered(n * 20, () => '1.0', ',')}${']'.repeat(n)}`),
  json('long numbers', 50_000, (n) => `[${'1'.repeat(n)}]`),
  json('escapes', 20_000, (n) => `["${'\\u0041'.repeat(n)}"]`),
  json('backslashes', 50_000, (n) => `["${'\\\\'.repeat(n)}"]`),
  json('quotes behind backslashes', 20_000, (n) => `["${'\\"'.repeat(n)}"]`),
  json('nesting', 1_000, (n) => `${'[{"a":'.repeat(n)}1${'}]'.repeat(n)}`),
  json('too deep', 50_000, (n) => '['.repeat(n)),
  json('spaces', 100_000, (n) => `{${' '.repeat(n)}"a"${' '.repeat(n)}:1}`),
  {
    name: 'JSON: unknown and doubled fields in order',
    n: 2_000,
    prepare: (n) => {
      const bytes = bytesOf(`{${numbered(n, (i) => `"u${i}":{"a":1,"a":1},"u${i}":1`, ',')}}`);
      const unknown = Array.from({ length: 100 }, (_, i) => `u${i}`);
      return () => strictErrors(bytes, unknown);
    },
  },

  row('Accept: many clauses', 500, parseAccept, (n) => numbered(n, (i) => `a/b${i};q=0.${i}`, ',')),
  row('Accept: many parameters', 3_000, parseAccept, (n) => `a/b${numbered(n, (i) => `;p${i}=v`)}`),
  row('Accept: signs of equality', 50_000, parseAccept, (n) => `a/b;p${'='.repeat(n)}v`),
  row('Accept: slashes', 20_000, parseAccept, (n) => `a${'/'.repeat(n)}x`),
  row('Accept: spaces', 100_000, parseAccept, (n) => `a/b${' '.repeat(n)};q=${' '.repeat(n)}1 `),
  row('Accept: digits of a quality', 50_000, parseAccept, (n) => `a/b;q=${'1'.repeat(n)}x`),
  row(
    'Accept: negotiation',
    500,
    (text) => negotiate(text, OPEN),
    (n) => numbered(n, (i) => `a${i}/*`, ','),
  ),
  row('Content-Type: spaces', 100_000, parseContentType, (n) => `a/b;${' '.repeat(n)}x`),
  row('Content-Type: spaces and semicolons', 30_000, parseContentType, (n) => `a/b${' ; '.repeat(n)}`),
  row('Content-Type: parameters', 10_000, parseContentType, (n) => `a/b${'; a=b '.repeat(n)}!`),
  row('Content-Type: a quoted value', 50_000, parseContentType, (n) => `a/b; a="${'\\"'.repeat(n)}`),
  row('Content-Type: a long name', 100_000, parseContentType, (n) => `${'a'.repeat(n)}(`),
];
