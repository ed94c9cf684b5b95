import { readInt64 } from '../values/numbers.js';
import type { LabelRequirement, Labels } from './label-requirement.js';

/** The requirements of a selector on one label, combined. */
interface LabelTest {
  /** Whether an object without the label can be selected. */
  absent: boolean;
  /** Whether an object with the label can be selected. */
  present: boolean;
  /** The values that it may have; undefined for any. */
  allowed?: ReadonlySet<string>;
  /** The values that it must not have. */
  excluded?: Set<string>;
  /** Integers between which its value must lie. */
  above?: bigint;
  below?: bigint;
}

/** A selector on more labels than this is matched by iterating over the object's labels instead of the selector's. */
const FEW = 8;

/**
 * Compiles requirements, all of which must hold, into one test per label. The cost of a match depends on the number of the object's
 * labels, not on the number of requirements.
 */
export function compileRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = new Map<string, LabelTest>();
  for (const requirement of requirements) {
    let test = tests.get(requirement.key);
    if (!test) tests.set(requirement.key, (test = { absent: true, present: true }));
    narrow(test, requirement);
  }
  const entries = [...tests];
  if (entries.length <= FEW) return (labels) => entries.every(([key, test]) => passes(test, labels?.[key]));
  const needed = entries.filter(([, { absent }]) => !absent).length;
  return (labels = {}) => {
    let found = 0;
    for (const key in labels) {
      const test = Object.hasOwn(labels, key) ? tests.get(key) : undefined;
      if (!test) continue;
      if (!passes(test, labels[key])) return false;
      if (!test.absent) found++;
    }
    return found === needed;
  };
}

function narrow(test: LabelTest, { operator, values }: LabelRequirement): void {
  const [only = ''] = values;
  if (operator === '!') test.present = false;
  if (operator !== '!' && operator !== '!=' && operator !== 'notin') test.absent = false;
  if (operator === '=' || operator === '==' || operator === 'in') {
    const { allowed } = test;
    test.allowed = new Set(allowed ? values.filter((value) => allowed.has(value)) : values);
  } else if (operator === '!=' || operator === 'notin') {
    test.excluded ??= new Set();
    for (const value of values) test.excluded.add(value);
  } else if (operator === 'gt' || operator === 'lt') {
    const bound = readInt64(only);
    if (typeof bound !== 'bigint') test.present = false;
    else if (operator === 'gt') test.above = test.above === undefined || bound > test.above ? bound : test.above;
    else test.below = test.below === undefined || bound < test.below ? bound : test.below;
  }
}

/** Labels are strings, so anything else found under the key, such as an inherited member, counts as absent. */
function passes(test: LabelTest, value: unknown): boolean {
  if (typeof value !== 'string') return test.absent;
  if (!test.present) return false;
  if (test.allowed && !test.allowed.has(value)) return false;
  if (test.excluded?.has(value)) return false;
  if (test.above === undefined && test.below === undefined) return true;
  const number = readInt64(value);
  if (typeof number !== 'bigint') return false;
  return (test.above === undefined || number > test.above) && (test.below === undefined || number < test.below);
}
