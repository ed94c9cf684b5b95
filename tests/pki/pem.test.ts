import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePem, encodePem } from '../../src/pki/pem.js';
import { cpuTime } from '../support/cpu-time.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

interface Cases {
  mustNotDecode: { name: string; input: string }[];
  decode: {
    name: string;
    input: string;
    block: { type: string; headers: Record<string, string>; bytesBase64: string };
  }[];
}

describe.skipIf(!hasSharedData)('shared PEM cases (skipped where the data is absent)', () => {
  const cases: Cases = readShared('data/pem/pem-cases.json', { mustNotDecode: [], decode: [] });
  it.each(cases.mustNotDecode)('finds no block: $name', ({ input }) => {
    expect(decodePem(input)).toEqual([]);
  });
  it.each(cases.decode)('finds: $name', ({ input, block }) => {
    const [first] = decodePem(input);
    expect(first?.label).toBe(block.type);
    expect(Object.fromEntries(first?.headers ?? [])).toEqual(block.headers);
    expect(Buffer.from(first?.bytes ?? []).toString('base64')).toBe(block.bytesBase64);
  });
});

describe('decodePem', () => {
  it('reads several blocks with text between them', () => {
    const text = `hello\n${encodePem('A', new Uint8Array([1]))}between\n${encodePem('B', new Uint8Array([2, 3]))}after`;
    expect(decodePem(text).map(({ label, bytes }) => [label, [...bytes]])).toEqual([
      ['A', [1]],
      ['B', [2, 3]],
    ]);
  });

  it.each([
    ['wrong padding', 'dGVzdA='],
    ['foreign characters', 'dGV*dA=='],
    ['data after padding', 'dA==dA=='],
  ])('treats a block with %s as text', (_, body) => {
    expect(decodePem(`-----BEGIN A-----\n${body}\n-----END A-----\n`)).toEqual([]);
  });

  it('decodes what was encoded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[A-Z]{1,8}( [A-Z]{1,8})?$/), fc.uint8Array({ maxLength: 200 }))),
        (blocks) => {
          const text = blocks.map(([label, bytes]) => encodePem(label, bytes)).join('');
          expect(decodePem(text).map(({ label, bytes }) => [label, [...bytes]])).toEqual(
            blocks.map(([label, bytes]) => [label, [...bytes]]),
          );
        },
      ),
    );
  });

  it.each([
    ['many begins', '-----BEGIN A-----\n'.repeat(60_000)],
    ['many begins, one end', `${'-----BEGIN A-----\n'.repeat(60_000)}-----END B-----\n`],
    ['many begins with colons', '-----BEGIN A:-----\n'.repeat(60_000)],
    ['broken blocks before one end', `${'-----BEGIN A-----\nAAAA\n'.repeat(40_000)}-----END B-----\n`],
    ['blanks', `-----BEGIN A-----\n${' '.repeat(500_000)}x\n${' '.repeat(500_000)}-\n-----END A-----`],
  ])('takes little time for %s', (_, text) => {
    const start = cpuTime();
    expect(decodePem(text)).toEqual([]);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});
