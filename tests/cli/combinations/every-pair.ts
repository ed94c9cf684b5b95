import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../../src/cli/check-flags.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import { checkPluginNames } from '../../../src/cli/plugin-names.js';

/** The errors of each flag on its own. */
type Alone = Readonly<Record<string, readonly string[]>>;
/** Pairs with other errors than the two flags on their own. A name without a value means any value of the flag. */
export type Pairs = readonly (readonly [string, string, readonly string[]])[];

const nameOf = (flag: string) => flag.split('=')[0] ?? '';
const isOf = (flag: string, pattern: string) => flag === pattern || nameOf(flag) === pattern;

/** Returns all errors of some flags, sorted. */
export function problemsOf(...given: string[]): string[] {
  const flags = parseFlags(['--dialect=k8s', ...given]);
  return [...checkFlags(flags), ...checkPluginNames(flags)].sort();
}

/**
 * Tests every pair of flags about the same subject, in both orders. A pair that is not in `together` has the errors of its two flags, so a
 * new flag needs one line in `alone`, and each of its rules with another flag needs one line.
 */
export function describeEveryPair(title: string, alone: Alone, together: Pairs): void {
  const flags = Object.keys(alone);
  const expected = (a: string, b: string) => {
    const rule = together.find(([one, other]) => (isOf(a, one) && isOf(b, other)) || (isOf(b, one) && isOf(a, other)));
    return [...new Set(rule ? rule[2] : [...(alone[a] ?? []), ...(alone[b] ?? [])])].sort();
  };
  describe(title, () => {
    it.each(flags)('%s alone', (flag) => expect(problemsOf(flag)).toEqual(alone[flag]));
    it.each(flags)('%s with each of the others', (flag) => {
      for (const other of flags.slice(flags.indexOf(flag) + 1)) {
        if (nameOf(other) === nameOf(flag)) continue;
        expect([flag, other, ...problemsOf(flag, other)]).toEqual([flag, other, ...expected(flag, other)]);
        expect([other, flag, ...problemsOf(other, flag)]).toEqual([other, flag, ...expected(flag, other)]);
      }
    });
    it('has no rule for a flag that does not exist', () => {
      for (const [one, other] of together)
        for (const pattern of [one, other]) expect(flags.some((flag) => isOf(flag, pattern))).toBe(true);
    });
  });
}
