import { isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { counter, gauge } from '../../metrics/families.js';
import { RequestFailed } from '../../outbound/bounded-request.js';
import { transportMessage } from '../../outbound/transport-message.js';
import {
  type ApiServiceCondition,
  AVAILABLE,
  availabilityOf,
  isAvailable,
  LOCAL,
} from '../../resources/apiregistration/api-service.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import { apiService } from '../../resources/apiregistration/index.js';
import type { Endpoints, Service } from '../../resources/core/core-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { type ControllerDefinition, type ControllerHost, stopAll } from '../controller.js';
import { unless } from '../unless.js';
import { AGGREGATOR, pathOf, requestBackend } from './probe.js';

/** Milliseconds after which every APIService is checked again. */
const RESYNC = 30_000;
/** Minimum milliseconds before a server that failed is probed again. The delay grows with the time for which it has been failing. */
const FIRST_RETRY = 200;
const PROBE_TIMEOUT = 5_000;
const AT_A_TIME = 5;
/** The number of probes of which one has to succeed, because one of several endpoints of a Service may not respond. */
const PROBES = 5;

const UNAVAILABLE_TOTAL = counter(
  'aggregator_unavailable_apiservice_total',
  'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
  ['name', 'reason'],
);
const UNAVAILABLE = gauge(
  'aggregator_unavailable_apiservice',
  'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
  ['name'],
);

type Finding = Pick<ApiServiceCondition, 'status' | 'reason' | 'message'>;
const missing = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

/** Reports for every APIService whether the server behind it can be reached (spec 24.3). Keys are names of APIServices. */
export const apiServiceAvailability: ControllerDefinition = {
  name: 'api-service-availability',
  ofServer: true,
  atATime: AT_A_TIME,
  follow({ host, queue }) {
    const { apiServices, lister, metrics } = host;
    for (const { metadata } of apiServices.remote.values()) queue.add(metadata.name ?? '');
    metrics.collect(UNAVAILABLE, () =>
      [...apiServices.groups(host.kinds.current).listed].flatMap(([group, versions]) =>
        versions.map((version) => {
          const remote = apiServices.remote.get(`${group}/${version}`);
          return [[`${version}.${group}`], remote && !isAvailable(remote) ? 1 : 0] as const;
        }),
      ),
    );
    const followService = (namespace: string, name: string) => {
      for (const { metadata, spec } of apiServices.remote.values())
        if (spec.service?.name === name && spec.service?.namespace === namespace) queue.add(metadata.name ?? '');
    };
    const followBackend = (next: ApiObject | undefined, previous: ApiObject | undefined) => {
      const { namespace = '', name = '' } = (next ?? previous)?.metadata ?? {};
      followService(namespace, name);
    };
    const stops = [
      lister<APIService>(apiServices.group, apiService.plural).onChange((next, previous) => {
        const isNew = next && (next.spec !== previous?.spec || !availabilityOf(next));
        if (isNew && (next.spec.service || !isAvailable(next) || previous?.spec.service))
          queue.add(next.metadata.name ?? '');
        if (!next && previous) host.backends.forget(previous.metadata.name ?? '');
      }),
      lister('', 'services').onChange(followBackend),
      lister('', 'endpoints').onChange(followBackend),
      host.services.onChange(followService),
    ];
    return stopAll(stops);
  },
  async reconcile(name, { host, client, queue }) {
    const service = host.apiServices.get(name);
    if (!service) return;
    const finding = service.spec.service ? await checkAvailability(service, host) : LOCAL;
    const old = availabilityOf(service);
    const now = host.clock.now();
    if (old?.status !== finding.status || old.reason !== finding.reason || old.message !== finding.message) {
      const lastTransitionTime = old?.status === finding.status ? old.lastTransitionTime : formatTime(now);
      const { status, reason = '', message = '' } = finding;
      const condition = { type: AVAILABLE, status, lastTransitionTime, reason, message };
      const { conditions = [] } = service.status;
      const changed = old
        ? conditions.map((each) => (each.type === AVAILABLE ? condition : each))
        : [...conditions, condition];
      const next = { ...service, status: { ...service.status, conditions: changed } };
      await client.replace(apiService, next, { subresource: 'status' }).catch(unless(isNotFound));
      if (status !== 'True' && old?.status === 'True') host.metrics.add(UNAVAILABLE_TOTAL, [name, reason]);
    }
    if (!service.spec.service) return;
    const age = now - Date.parse(old?.lastTransitionTime ?? '');
    const failing = finding.reason === 'FailedDiscoveryCheck';
    queue.addAfter(name, failing ? Math.min(RESYNC, Math.max(FIRST_RETRY, age || 0)) : RESYNC);
  },
};

/** Checks the Service and Endpoints of an APIService and then probes the server. Returns the condition `Available` to report. */
async function checkAvailability(service: APIService, host: ControllerHost): Promise<Finding> {
  const problem = host.backends.hasTarget(service) ? undefined : problemOfService(service, host);
  if (problem) return problem;
  try {
    await probe(service, host).catch(() => Promise.any(Array.from({ length: PROBES - 1 }, () => probe(service, host))));
    return { status: 'True', reason: 'Passed', message: 'all checks passed' };
  } catch (error) {
    return missing('FailedDiscoveryCheck', messageOf(error instanceof AggregateError ? error.errors.at(-1) : error));
  }
}

function problemOfService({ spec }: APIService, { lister }: ControllerHost): Finding | undefined {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {};
  const place = `service/${name} in ${quote(namespace)}`;
  const found = lister<Service>('', 'services').get(namespace, name);
  if (!found) return missing('ServiceNotFound', `${place} is not present`);
  const { type = 'ClusterIP', ports = [] } = found.spec;
  if (type !== 'ClusterIP') return undefined;
  const served = ports.find((each) => each.port === port);
  if (!served) return missing('ServicePortError', `${place} is not listening on port ${port}`);
  const endpoints = lister<Endpoints>('', 'endpoints').get(namespace, name);
  if (!endpoints) return missing('EndpointsNotFound', `cannot find endpoints for ${place}`);
  const { name: portName = '' } = served;
  const serves = endpoints.subsets?.some(
    ({ addresses = [], ports: own = [] }) => addresses.length > 0 && own.some((each) => (each.name ?? '') === portName),
  );
  if (serves) return undefined;
  return missing('MissingEndpoints', `endpoints for ${place} have no addresses with port name ${quote(portName)}`);
}

/**
 * Requests the discovery document of the group version. Any certificate is accepted, because the response is not passed on to a client.
 * @throws Error unless the server responds with a 2xx status.
 */
async function probe(service: APIService, host: ControllerHost): Promise<void> {
  const backend = host.backends.find(service, true);
  const path = pathOf(service);
  const url = `${backend.origin}${path}`;
  const failing = (why: string) => new Error(`failing or missing response from ${url}: ${why}`);
  const request = { path, user: AGGREGATOR, timeout: PROBE_TIMEOUT, maxBytes: 0 };
  const { status } = await requestBackend(host, backend, request).catch((error) => {
    throw failing(`Get ${quote(url)}: ${transportMessage(error instanceof RequestFailed ? error.cause : error)}`);
  });
  if (status < 200 || status >= 300) throw failing(`bad status from ${url}: ${status}`);
}
