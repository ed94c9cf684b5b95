import { describe, expect, it } from 'vitest';
import { evaluate, hasData, readData, release } from './kubernetes-data.js';

interface Case {
  readonly test: string;
  readonly expr: string;
  readonly runtime: number;
}

describe.skipIf(!hasData)('exact costs of libraries (needs the data of ../shared)', () => {
  const { cases } = hasData ? readData<{ cases: Case[] }>('library-costs.json') : { cases: [] };
  const environment = release();
  it.each(cases.map((one, i) => [`${i} ${one.expr}`, one] as const))('%s', (_name, { expr, runtime }) => {
    expect(evaluate(environment, expr).cost).toBe(runtime);
    expect(evaluate(environment, expr, {}, false).cost).toBe(runtime);
  });
});
