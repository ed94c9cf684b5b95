import { ServiceTargets } from '../outbound/service-targets.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import type { FlagValues } from './flags.js';

const NETWORK = 'network';

/** The parsed value of `--services`. */
interface ServiceFlags {
  /** Whether requests to a service without a configured target are sent to the address of the service in the cluster. */
  readonly network: boolean;
  readonly targets: readonly (readonly [service: string, url: string])[];
}

/**
 * Parses `--services`. If it is absent, but `--proxy-client-cert-file` or `--enable-aggregator-routing` is given, requests to services use
 * the cluster network, so that a command line written for upstream keeps its meaning.
 */
export function readServices(values: FlagValues): ServiceFlags {
  const { services, 'proxy-client-cert-file': shown, 'enable-aggregator-routing': routes } = values;
  if (services === undefined) return { network: shown !== undefined || routes, targets: [] };
  const targets = services.filter((each) => each !== NETWORK).map(split);
  return { network: services.includes(NETWORK), targets };
}

function split(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

/** Returns the errors in `--services`, one message for each invalid entry. */
export function checkServices(values: FlagValues): string[] {
  const { network, targets } = readServices(values);
  const errors: string[] = [];
  for (const [service, url] of targets)
    try {
      new ServiceTargets().set(service, url);
    } catch (error) {
      errors.push(`--services must be network, or namespace/name=URL: ${messageOf(error)}`);
    }
  if (values['enable-aggregator-routing'] && !network)
    errors.push(`--enable-aggregator-routing needs ${quote(NETWORK)} in --services`);
  return errors;
}
