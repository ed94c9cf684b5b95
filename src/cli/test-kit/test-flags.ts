import type { ApiServerOptions } from '../../api-server-options.js';
import { quote } from '../../values/quote.js';
import type { FlagValues } from '../flags.js';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the errors in the flags `--test-clock` and `--test-steps`. */
export function checkTestFlags(values: FlagValues): string[] {
  const errors: string[] = [];
  const { 'test-clock': start, 'test-steps': steps, 'test-kit': kit } = values;
  if (start !== undefined && !(RFC_3339.test(start) && Number.isFinite(Date.parse(start))))
    errors.push(`--test-clock must be a time such as 2030-01-01T00:00:00Z, not ${quote(start)}`);
  // Only the routes of the test kit advance the clock and run controllers. Without the test kit, the server would never make progress.
  if (start !== undefined && !kit) errors.push('--test-clock needs --test-kit, which moves the clock');
  if (steps && !kit) errors.push('--test-steps needs --test-kit, which lets controllers work');
  return errors;
}

/**
 * Returns the server options for `--test-clock` (a fake clock that only the test kit advances) and `--test-steps` (controllers that run
 * only when the test kit steps them).
 */
export async function testOptions(values: FlagValues): Promise<{
  readonly clock: Pick<ApiServerOptions, 'clock'>;
  readonly controllers: { readonly mode?: 'stepped' };
}> {
  const { 'test-clock': start, 'test-steps': steps } = values;
  // The module is loaded only if `--test-clock` is given.
  const clock = start === undefined ? {} : { clock: (await import('../../testing/index.js')).createFakeClock(start) };
  return { clock, controllers: steps ? { mode: 'stepped' } : {} };
}
