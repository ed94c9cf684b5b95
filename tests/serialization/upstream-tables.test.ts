import { describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { parseQuery } from '../../src/meta/query.js';
import { parseJson } from '../../src/serialization/json/decode.js';
import { stringifyJson } from '../../src/serialization/json/encode.js';
import { isPretty, mediaTypesOf, negotiate } from '../../src/serialization/media-type.js';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { cases, hasSharedData } from '../support/shared-data.js';

interface Value {
  readonly In: unknown;
  readonly Out?: unknown;
  readonly Err?: boolean;
}
/** Numbers are doubles here, as in every JSON of this language: integers beyond 2^53 and the sign of zero are lost. */
const DOUBLES = new Map([
  ['9223372036854775807', '9223372036854776000'],
  ['-9223372036854775808', '-9223372036854776000'],
  ['-0.0', '0'],
]);
describe.skipIf(!hasSharedData)("JSON values: the upstream's table (skipped where the shared data is absent)", () => {
  const all = cases<Value[]>('serial-json', 'TestEvaluateTypes', 'testCases');
  // Rows 20, 22, 23, 25, 32: the text or the answer is an expression that the table does not resolve.
  const usable = all.filter(({ In, Out, Err }) => typeof In === 'string' && (Err || typeof Out === 'string'));
  it('leaves out five rows', () => expect(all.length - usable.length).toBe(5));
  it.each(usable.map((c) => [String(c.In), c] as const))('%s', (text, { Err, Out }) => {
    const read = () => stringifyJson(parseJson(new TextEncoder().encode(text)).value);
    if (Err) expect(read).toThrow();
    else expect(read()).toBe(DOUBLES.get(text) ?? Out);
  });
});

describe.skipIf(!hasSharedData)("negotiation: the upstream's tables (skipped where the shared data is absent)", () => {
  const server = suiteServer({
    dialect: 'k8s',
    controllers: [],
    authentication: [
      () => ({
        name: 'test',
        authenticate: () => ({ outcome: 'authenticated', user: { username: 'x', groups: ['system:masters'] } }),
      }),
    ],
  });

  it.each(cases<{ accept: string; expected: string }[]>('serial-negotiation', 'TestAggregationEnabled', 'testCases'))(
    'discovery for "$accept" is $expected',
    async ({ accept, expected }) => {
      const { status, headers } = await ask(server, { path: '/apis', headers: accept === '' ? {} : { accept } });
      expect({ status, aggregated: String(headers['Content-Type']).includes('as=APIGroupDiscoveryList') }).toEqual({
        status: 200,
        aggregated: expected === 'aggregated',
      });
    },
  );

  interface Negotiating {
    readonly accept?: string;
    readonly contentType?: string;
    readonly req?: {
      readonly Header?: Readonly<Record<string, readonly string[]>>;
      readonly URL?: { RawQuery: string };
    };
    readonly params?: { readonly pretty?: string };
    readonly errFn?: object;
  }
  const rows = cases<Negotiating[]>('serial-negotiation', 'TestNegotiate', 'testCases');
  // Left out: the row whose type is "application/protobuf" and the three that fail, which are about servers with other types
  // than ours (none, or "application").
  const ours = rows.filter(({ contentType, errFn }) => !errFn && contentType === 'application/json');
  it('leaves out four rows', () => expect(rows.length - ours.length).toBe(4));
  it.each(ours.map((row) => [row.accept ?? JSON.stringify(row.req), row] as const))(
    '%s',
    (_, { accept, req, params }) => {
      const chosen = negotiate(accept ?? req?.Header?.['Accept']?.[0], { allowed: mediaTypesOf(k8s) });
      expect(chosen.mediaType.name).toBe('application/json');
      const query = parseQuery(req?.URL?.RawQuery ?? '').first('pretty');
      expect(isPretty(chosen, query, req?.Header?.['User-Agent']?.[0])).toBe(params?.pretty === '1');
    },
  );
});
