import { type Capability, FLAGS, type FlagDefinition, type FlagName } from './flags.js';

/** What the server can do today; the flags of other capabilities are accepted and say so. */
const AVAILABLE: ReadonlySet<Capability> = new Set(['foundation']);

/** One line for each given flag that has no effect yet. */
export function laterFlagNotices(
  given: ReadonlySet<FlagName>,
  available: ReadonlySet<Capability> = AVAILABLE,
): string[] {
  const flags: readonly FlagDefinition[] = FLAGS.filter((flag) => given.has(flag.name));
  return flags
    .filter((flag) => !available.has(flag.capability))
    .map((flag) => `--${flag.name} is accepted but has no effect yet`);
}
