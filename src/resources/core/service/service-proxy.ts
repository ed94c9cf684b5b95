import { apiError } from '../../../meta/api-error.js';
import type { RequestContext } from '../../../registry/request-context.js';
import type { RelayCall, RelaySubresource } from '../../../registry/resource-definition.js';
import { PATH_PARAMETER, PROXY_VERBS, type RelayTarget, readTarget } from '../../fragments/relay-target.js';
import type { Endpoints } from '../endpoints.js';
import type { Service } from './service-schema.js';

/**
 * Finds what serves a request to a service, as the reference does. Nothing runs behind this server's services: where there is an address,
 * it is not reached.
 */
async function reach({ namespace, name: id, parent }: RelayCall<Service>, { host }: RequestContext): Promise<never> {
  const target = readTarget(id);
  if (target === undefined) throw apiError.badRequest(`invalid service request "${id}"`);
  const { name } = target;
  const port = await portName(target, parent);
  const endpoints = host.lister<Endpoints>('', 'endpoints').get(namespace, name);
  if (endpoints === undefined) throw apiError.notFound({ group: '', resource: 'services' }, name);
  const { subsets = [] } = endpoints;
  const nothing = (shown: string) => apiError.serviceUnavailable(`no endpoints available for service "${shown}"`);
  if (subsets.length === 0) throw nothing(name);
  const serves = subsets.some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some(({ name: own = '' }) => own === port),
  );
  throw serves
    ? apiError.serviceUnavailable('error trying to reach service: this server reaches no pods')
    : nothing(id);
}

/** The name of a port of the service; that of the only one may be ''. @throws ApiError 404, 503 for a number that it does not have. */
async function portName({ name, port }: RelayTarget, parent: RelayCall<Service>['parent']): Promise<string> {
  if (!/^[+-]?\d{1,18}$/.test(port)) return port;
  const number = Number(port);
  const { spec } = await parent(name);
  const found = spec.ports?.find((each) => each.port === number);
  if (found === undefined) throw apiError.serviceUnavailable(`no service port ${number} found for service "${name}"`);
  return found.name ?? '';
}

/** `/proxy`: requests to what serves. */
export const serviceProxy: RelaySubresource<Service> = {
  relay: {
    kind: 'ServiceProxyOptions',
    verbs: PROXY_VERBS,
    takesPath: true,
    parameters: [PATH_PARAMETER],
    answer: reach,
  },
};
