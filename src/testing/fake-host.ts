import { type Dialect, k8s } from '../meta/dialect.js';
import { featureGates } from '../meta/features/feature-gates.js';
import type { Fetch } from '../meta/fetch.js';
import type { Host, Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import { DEFAULT_SERVICE_NETWORK } from '../meta/services/service-network.js';
import { noMetrics } from '../metrics/metrics.js';
import { ServiceTargets } from '../outbound/service-targets.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import { createFakeRandom } from './fake-random.js';

/** A host for plug-ins under test, with a clock that the test moves. */
export interface FakeHost extends Host {
  readonly clock: FakeClock;
  /** The logged lines. */
  readonly lines: readonly string[];
}

/** The options of {@link createFakeHost}. */
export interface FakeHostOptions {
  /** The API dialect. Default `k8s`. */
  readonly dialect?: Dialect;
  /** The initial time of the clock. Default: that of `createFakeClock`. */
  readonly start?: number | Date | string;
  /** Handles the plug-in's requests to other servers. Default: all requests fail. */
  readonly fetch?: Fetch;
  /** The objects that listers return, by full group and plural name: `{ '/secrets': [...] }`. Default: no objects. */
  readonly objects?: Readonly<Record<string, readonly ApiObject[]>>;
}

/** Creates a host for authenticators, authorizers and admission plug-ins without a server. Its objects never change. */
export function createFakeHost(options: FakeHostOptions = {}): FakeHost {
  refuseUnknownMembers('createFakeHost', options, ['dialect', 'start', 'fetch', 'objects']);
  const { dialect = k8s, start, objects = {}, fetch = noNetwork } = options;
  const lines: string[] = [];
  return {
    dialect,
    clock: createFakeClock(start),
    random: createFakeRandom(),
    signatures: systemSignatures,
    fetch,
    allowPrivileged: false,
    services: new ServiceTargets('network'),
    serviceNetwork: DEFAULT_SERVICE_NETWORK,
    gates: featureGates(),
    metrics: noMetrics,
    lines,
    log: (message) => void lines.push(message),
    lister: <T extends ApiObject>(group: string, resource: string) =>
      // The test that passes `objects` is responsible for their type.
      fixedLister((objects[`${group}/${resource}`] ?? []) as readonly T[]),
  };
}

function fixedLister<T extends ApiObject>(all: readonly T[]): Lister<T> {
  const list = (namespace = '') =>
    namespace === '' ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  return {
    list,
    get: (namespace, name) =>
      all.find(({ metadata }) => (metadata.namespace ?? '') === namespace && metadata.name === name),
    byIndex: (indexOf, key) => all.filter((object) => indexOf(object).includes(key)),
    onChange: () => () => {},
  };
}

const noNetwork: Fetch = async (url) => {
  throw new TypeError(`there is no server at ${url}`);
};
