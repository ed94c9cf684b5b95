import { reading } from '../meta/clock.js';
import { groupOf } from '../meta/dialect.js';
import type { FeatureGate } from '../meta/features/gates.js';
import type { Host } from '../meta/host.js';
import type { Metrics } from '../metrics/metrics.js';
import { type HealthCheck, HealthChecks, type HealthObserver } from '../requests/documents/health.js';
import type { Progress } from './parts.js';

/** A step of the server's start that has a health check. The check has the name of upstream's check for the same step (spec 1.7). */
interface StartHook {
  readonly name: string;
  /**
   * The API group without which the start does not have this step. The suffix that the API dialect appends (such as `.k8s.io`) is left out.
   */
  readonly group?: string;
  /** The feature gate without which the start does not have this step. */
  readonly gate?: FeatureGate;
  /** The step exists only with priority and fairness. */
  readonly ofFlows?: true;
  /** Returns whether this step of the start is done. Default: `Progress.started`, that is, whether all steps are done. */
  readonly isDone?: (progress: Progress) => boolean;
}

const DEFAULT_ROLES_CHECK = 'poststarthook/rbac/bootstrap-roles';
const AGGREGATION = 'apiregistration';
const DEFINITIONS = 'apiextensions';
const FLOWS = 'flowcontrol.apiserver';
const LEASES = 'coordination';
const IDENTITY = 'APIServerIdentity';

/**
 * Returns all steps of the start, in upstream's order.
 * @param server the name of the API server in the API dialect. The names of some steps contain it.
 */
const startHooks = (server: string): readonly StartHook[] => [
  { name: 'poststarthook/start-apiserver-admission-initializer' },
  { name: 'poststarthook/generic-apiserver-start-informers' },
  { name: 'poststarthook/priority-and-fairness-config-consumer', ofFlows: true },
  { name: 'poststarthook/priority-and-fairness-filter', ofFlows: true },
  { name: 'poststarthook/storage-object-count-tracker-hook' },
  { name: 'poststarthook/start-apiextensions-informers', group: DEFINITIONS },
  { name: 'poststarthook/start-apiextensions-controllers', group: DEFINITIONS },
  { name: 'poststarthook/crd-informer-synced', group: DEFINITIONS },
  { name: 'poststarthook/start-system-namespaces-controller', isDone: ({ namespacesReady }) => namespacesReady },
  { name: 'poststarthook/start-cluster-authentication-info-controller' },
  { name: `poststarthook/start-${server}-identity-lease-controller`, group: LEASES, gate: IDENTITY },
  { name: `poststarthook/start-${server}-identity-lease-garbage-collector`, group: LEASES, gate: IDENTITY },
  { name: 'poststarthook/start-legacy-token-tracking-controller' },
  { name: 'poststarthook/start-service-ip-repair-controllers' },
  { name: DEFAULT_ROLES_CHECK, isDone: ({ rolesReady }) => rolesReady },
  { name: 'poststarthook/scheduling/bootstrap-system-priority-classes', group: 'scheduling' },
  { name: 'poststarthook/priority-and-fairness-config-producer', group: FLOWS },
  { name: 'poststarthook/bootstrap-controller' },
  { name: 'poststarthook/start-kube-aggregator-informers', group: AGGREGATION },
  { name: 'poststarthook/apiservice-status-local-available-controller', group: AGGREGATION },
  { name: 'poststarthook/apiservice-status-remote-available-controller', group: AGGREGATION },
  { name: 'poststarthook/apiservice-registration-controller', group: AGGREGATION },
  { name: 'poststarthook/apiservice-wait-for-first-sync', group: AGGREGATION },
  { name: 'poststarthook/apiservice-discovery-controller', group: AGGREGATION },
  { name: `poststarthook/${server}-autoregistration`, group: AGGREGATION },
  { name: 'autoregister-completion', group: AGGREGATION },
  { name: 'poststarthook/apiservice-openapi-controller', group: AGGREGATION },
  { name: 'poststarthook/apiservice-openapiv3-controller', group: AGGREGATION },
];

export interface HealthFacts {
  readonly progress: Progress;
  readonly host: Pick<Host, 'dialect' | 'clock' | 'gates'>;
  /** Whether the server creates the default roles. */
  readonly roles: boolean;
  /** Whether priority and fairness is on. */
  readonly flows: boolean;
  /** Returns why the storage cannot be reached; undefined if it can. */
  readonly storageProblem?: () => string | undefined;
  /** The groups that are served at the start. */
  readonly groups: ReadonlyMap<string, unknown>;
  /** A reading of the clock at the start. */
  readonly began: number;
  /** Milliseconds after the start for which /livez ignores steps that are not done yet. */
  readonly livezGracePeriod: number;
  /** Receives the results of the checks. */
  readonly observe?: HealthObserver;
}

/** Creates the health checks of a server. */
export function healthChecks(facts: HealthFacts): HealthChecks {
  const { progress, host, roles, flows, groups, began, livezGracePeriod } = facts;
  const { storageProblem: reach = () => undefined, observe } = facts;
  const { dialect, clock, gates } = host;
  const well = () => undefined;
  const basic: HealthCheck[] = [
    ...['ping', 'log'].map((name) => ({ name, check: well })),
    { name: 'etcd', check: () => reach() },
  ];
  const hooks: HealthCheck[] = startHooks(dialect.apiServerName)
    .filter(({ group }) => group === undefined || groups.has(groupOf(dialect, group)))
    .filter(({ gate }) => gate === undefined || gates[gate])
    .filter(({ ofFlows }) => flows || ofFlows === undefined)
    .filter(({ name }) => roles || name !== DEFAULT_ROLES_CHECK)
    .map(({ name, isDone = ({ started }) => started }) => ({
      name,
      check: () => (isDone(progress) ? undefined : 'not finished'),
    }));
  const patient = hooks.map(({ name, check }) => ({
    name,
    check: () => (livezGracePeriod > 0 && reading(clock) - began <= livezGracePeriod ? undefined : check()),
  }));
  const shutdown = { name: 'shutdown', check: () => (progress.closing ? 'process is shutting down' : undefined) };
  const checks = {
    healthz: [...basic, ...hooks],
    livez: [...basic, ...patient],
    readyz: [
      ...basic,
      { name: 'etcd-readiness', check: () => reach() },
      { name: 'informer-sync', check: well },
      ...hooks,
      shutdown,
    ],
  };
  return new HealthChecks(checks, observe);
}

const result = {
  name: 'kubernetes_healthcheck',
  help: 'This metric records the result of a single healthcheck.',
  type: 'gauge',
  labels: ['name', 'type'],
  stability: 'STABLE',
} as const;
const results = {
  name: 'kubernetes_healthchecks_total',
  help: 'This metric records the results of all healthcheck.',
  type: 'counter',
  labels: ['name', 'type', 'status'],
  stability: 'STABLE',
} as const;

/** Creates an observer that records the results of health checks. */
export function healthObserver(metrics: Metrics): HealthObserver {
  return (endpoint, name, well) => {
    metrics.set(result, [name, endpoint], well ? 1 : 0);
    metrics.add(results, [name, endpoint, well ? 'success' : 'error']);
  };
}
