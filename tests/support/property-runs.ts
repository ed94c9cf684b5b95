/**
 * Returns the number of random cases of a property test. `PROPERTY_RUNS` multiplies the number in the test: it is 0.1 for `npm test`, 1 for
 * `npm run test:all`, or the value of the environment variable (20 for a nightly run).
 */
export function propertyRuns(usual: number): number {
  const share = Number(process.env['PROPERTY_RUNS'] ?? 1);
  if (!(share > 0)) throw new TypeError('PROPERTY_RUNS must be a positive number');
  return Math.ceil(usual * share);
}
