/**
 * Returns the number of random cases of a property test. `PROPERTY_RUNS` multiplies the number in the test: it is 0.1 for `npm test`, 1 for
 * `npm run test:all`, or the value of the environment variable (20 for a nightly run).
 */
export function propertyRuns(usual: number): number {
  return Math.ceil(usual * share());
}

/** Returns the options of property tests whose cases take long: their time limit is a minute, and grows with the number of cases. */
export const longProperty = () => ({ timeout: 60_000 * Math.max(1, share()) });

function share(): number {
  const value = Number(process.env['PROPERTY_RUNS'] ?? 1);
  if (!(value > 0)) throw new TypeError('PROPERTY_RUNS must be a positive number');
  return value;
}
