import { configMap, pod } from '../../../src/resources/core/index.js';
import { decodeProtobuf, encodeProtobuf, readEnvelope } from '../../../src/serialization/protobuf/documents.js';
import { type GrowthRow, numbers } from './measure.js';

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) + 0x80);
  return [...out, rest];
}
const field = (number: number, content: readonly number[]) => [
  ...varint(number * 8 + 2),
  ...varint(content.length),
  ...content,
];
const repeat = (n: number, part: (i: number) => readonly number[]) => numbers(n).flatMap((i) => [...part(i)]);

const SCHEMAS = { configMap: configMap.schema, pod: pod.schema };
const raw = (
  name: string,
  n: number,
  kind: keyof typeof SCHEMAS,
  make: (n: number) => readonly number[],
): GrowthRow => ({
  name: `to read ${name}`,
  n,
  prepare: (size) => {
    const bytes = Uint8Array.from(make(size));
    return () => decodeProtobuf(bytes, SCHEMAS[kind]);
  },
});
const entry = (key: string, value: string) => field(2, [...field(1, bytesOf(key)), ...field(2, bytesOf(value))]);

export const rows: readonly GrowthRow[] = [
  raw('entries of a map', 2_000, 'configMap', (n) => repeat(n, (i) => entry(`k${i}`, 'v'))),
  raw('one entry of a map again and again', 2_000, 'configMap', (n) => repeat(n, () => entry('k', 'v'))),
  raw('entries whose parts repeat', 2_000, 'configMap', (n) =>
    field(
      2,
      repeat(n, () => field(1, bytesOf('k'))),
    ),
  ),
  raw('the same unknown field', 10_000, 'configMap', (n) => repeat(n, () => field(99, [0]))),
  raw('unknown fields of many numbers', 10_000, 'configMap', (n) => repeat(n, (i) => field(100 + i, []))),
  raw('unknown numbers', 20_000, 'configMap', (n) => repeat(n, () => [...varint(99 * 8), 1])),
  raw('metadata again and again', 2_000, 'configMap', (n) => repeat(n, (i) => field(1, field(1, bytesOf(`n${i}`))))),
  raw('containers without anything', 5_000, 'pod', (n) =>
    field(
      2,
      repeat(n, () => field(2, [])),
    ),
  ),
  raw('containers with names', 1_000, 'pod', (n) =>
    field(
      2,
      repeat(n, (i) => field(2, field(1, bytesOf(`c${i}`)))),
    ),
  ),
  raw('a spec in many parts', 1_000, 'pod', (n) => repeat(n, (i) => field(2, field(2, field(1, bytesOf(`c${i}`)))))),
  raw('messages in messages', 1_000, 'pod', (n) => {
    let inside: number[] = [];
    for (let i = 0; i < Math.min(n, 2_000); i++) inside = field(2, inside);
    return [...inside, ...repeat(n, () => field(99, [0]))];
  }),
  {
    name: 'to read the envelope: many fields',
    n: 10_000,
    prepare: (n) => {
      const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0x00, ...repeat(n, () => field(2, [0]))]);
      return () => readEnvelope(bytes);
    },
  },
  {
    name: 'to write maps, lists and texts',
    n: 1_000,
    prepare: (n) => {
      const data = Object.fromEntries(numbers(n).map((i) => [`k${i}`, 'v']));
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', finalizers: Object.keys(data) },
        data,
      };
      return () => encodeProtobuf(object, configMap.schema);
    },
  },
];
