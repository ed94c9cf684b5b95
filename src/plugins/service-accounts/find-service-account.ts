import type { Host } from '../../meta/host.js';
import { pathSegment } from '../../meta/names.js';
import type { ServiceAccount } from '../../resources/core/core-v1.types.js';
import { quote } from '../../values/quote.js';

/**
 * Returns the account that a token names.
 * @throws Error in the words of the reference's client, which does not send a request for an invalid name.
 */
export function findServiceAccount(namespace: string, name: string, { lister }: Pick<Host, 'lister'>): ServiceAccount {
  const object = lister<ServiceAccount>('', 'serviceaccounts').get(namespace, name);
  if (object) return object;
  for (const [what, value] of [
    ['namespace', namespace],
    ['resource name', name],
  ] as const) {
    if (what !== 'namespace' && value === '') throw new Error('resource name may not be empty');
    const problems = pathSegment(value);
    if (problems.length > 0) throw new Error(`invalid ${what} ${quote(value)}: [${problems.join(' ')}]`);
  }
  if (namespace === '') throw new Error('an empty namespace may not be set when a resource name is provided');
  throw new Error(`serviceaccounts ${quote(name)} not found`);
}
