import { pod } from '../../../src/resources/core/index.js';
import { isOfFormat } from '../../../src/schema/constraints/string-formats.js';
import { decodeTyped } from '../../../src/schema/decode.js';
import { decodeStructural } from '../../../src/schema/decode-structural.js';
import type { ObjectSchema } from '../../../src/schema/schema.js';
import { validateStructural } from '../../../src/schema/structural.js';
import type { GrowthRow } from './measure.js';

const record = <T>(n: number, name: (i: number) => string, value: T) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [name(i), value]));
const schema: ObjectSchema = pod.schema;

const typed = (name: string, n: number, make: (n: number) => object): GrowthRow => ({
  name: `typed decoding: ${name}`,
  n,
  prepare: (size) => {
    const value = make(size);
    return () => decodeTyped(schema, value);
  },
});
const structural = (name: string, n: number, make: (n: number) => object): GrowthRow => ({
  name: `structural decoding and validation: ${name}`,
  n,
  prepare: (size) => {
    const value = make(size);
    return () => validateStructural(schema, decodeStructural(schema, value).value, '');
  },
});

const shapes: readonly [string, number, (n: number) => object][] = [
  ['unknown fields', 2_000, (n) => record(n, (i) => `u${i}`, 1)],
  ['unknown fields below a long key', 2_000, (n) => ({ metadata: { ['x'.repeat(n)]: record(n, (i) => `u${i}`, 1) } })],
  ['labels', 2_000, (n) => ({ metadata: { labels: record(n, (i) => `k${i}`, 'v') } })],
  ['containers', 300, (n) => ({ spec: { containers: Array.from({ length: n }, (_, i) => ({ name: `c${i}` })) } })],
  ['containers of wrong types', 1_000, (n) => ({ spec: { containers: Array.from({ length: n }, () => 1) } })],
  ['equal containers', 300, (n) => ({ spec: { containers: Array.from({ length: n }, () => ({ name: 'a' })) } })],
  ['finalizers', 2_000, (n) => ({ metadata: { finalizers: Array.from({ length: n }, String) } })],
];

const FORMATS = ['uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'isbn', 'creditcard', 'rgbcolor'];
const MORE = ['byte', 'date', 'duration', 'date-time', 'hexcolor', 'ssn', 'bsonobjectid'];
const PARTS = ['1', ' ', 'a', '.', ':', '-', 'a@', '1s ', '0,', 'A='];

export const rows: readonly GrowthRow[] = [
  ...shapes.map(([name, n, make]) => typed(name, n, make)),
  ...shapes.map(([name, n, make]) => structural(name, n, make)),
  // Rows for all string formats, each with strings of one repeated part.
  ...PARTS.map(
    (part): GrowthRow => ({
      name: `formats of texts: ${JSON.stringify(part)}`,
      n: 20_000,
      prepare: (n) => {
        const text = `${part.repeat(n)}!`;
        return () => [...FORMATS, ...MORE].map((format) => isOfFormat(format, text));
      },
    }),
  ),
];
