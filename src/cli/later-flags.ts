import { FLAGS, type FlagDefinition, type Flags } from './flags.js';

/** One message for each given flag whose feature the server does not have yet; to switch such a feature off is fine. */
export function refuseLaterFlags({ given, values }: Flags): string[] {
  return FLAGS.filter((flag: FlagDefinition) => flag.later)
    .filter(({ name }) => given.has(name) && values[name] !== false)
    .map(({ name }) => `--${name} is not available yet`);
}
