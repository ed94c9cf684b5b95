/**
 * Returns how many random cases a property is checked with. `PROPERTY_RUNS` multiplies the number that is written in the test:
 * it is 0.1 for `npm test`, 1 for `npm run test:all`, and whatever the environment says (20 for a night).
 */
export function propertyRuns(usual: number): number {
  const share = Number(process.env['PROPERTY_RUNS'] ?? 1);
  if (!(share > 0)) throw new TypeError('PROPERTY_RUNS must be a positive number');
  return Math.ceil(usual * share);
}
