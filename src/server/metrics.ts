import type { ApiServerOptions } from '../api-server-options.js';
import { RELEASE, versionDocument } from '../discovery/version.js';
import { type Clock, systemClock } from '../meta/clock.js';
import { type Dialect, metricHelp, metricName } from '../meta/dialect.js';
import type { FeatureGates } from '../meta/features/gates.js';
import type { ApiObject } from '../meta/object-meta.js';
import { gauge } from '../metrics/families.js';
import { MetricRecorder } from '../metrics/metric-recorder.js';
import type { LabelValues, MetricFamily, Metrics } from '../metrics/metrics.js';
import type { MetricsOptions } from '../metrics/metrics-options.js';
import type { AllowedLabels } from '../metrics/recorded-family.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { MetricsPage, type MetricsPages } from '../requests/documents/metrics-route.js';
import type { Storage } from '../store/storage.js';
import { VERSION } from '../version.js';

const startTime = {
  name: 'process_start_time_seconds',
  help: 'Start time of the process since unix epoch in seconds.',
  type: 'gauge',
  labels: [],
} as const;
const cpu: MetricFamily = {
  name: 'process_cpu_seconds_total',
  help: 'Total user and system CPU time spent in seconds.',
  type: 'counter',
  labels: [],
};
const memory: MetricFamily = {
  name: 'process_resident_memory_bytes',
  help: 'Resident memory size in bytes.',
  type: 'gauge',
  labels: [],
};

/** The members of Node's `process` that are used; other runtimes lack them. */
interface NativeProcess {
  uptime?(): number;
  cpuUsage?(): { readonly user: number; readonly system: number };
  memoryUsage?: { rss?(): number };
}

const MICROSECONDS = 1_000_000;

/**
 * Records the metrics of the process, and returns the time of its start in seconds. If the runtime does not report an uptime, the process
 * counts as started together with the server.
 */
function collectProcess(all: Metrics, indicators: Metrics, clock: Clock): number {
  const { process = {} } = globalThis as { readonly process?: NativeProcess };
  const start = clock.now() / 1000 - (process.uptime?.() ?? 0);
  all.set(startTime, [], start);
  indicators.set({ ...startTime, stability: 'ALPHA' }, [], start);
  if (process.cpuUsage)
    all.collect(cpu, () => {
      const { user = 0, system = 0 } = process.cpuUsage?.() ?? {};
      return [[[], (user + system) / MICROSECONDS]];
    });
  if (process.memoryUsage?.rss) all.collect(memory, () => [[[], process.memoryUsage?.rss?.() ?? 0]]);
  return start;
}

/** The metrics of a server: all of them, and separately the service level indicators of its health checks. */
export interface ServerMetrics {
  readonly all: MetricRecorder;
  readonly indicators: MetricRecorder;
  /** When the process started, in seconds since 1970. */
  readonly started: number;
}

const buildInfo = gauge(
  'kubernetes_build_info',
  "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
  ['major', 'minor', 'git_version', 'git_commit', 'git_tree_state', 'build_date', 'go_version', 'compiler', 'platform'],
);

/** Creates the metrics of a server. */
export function serverMetrics(
  options: Pick<ApiServerOptions, 'clock' | 'reportedVersion'>,
  metrics: true | MetricsOptions,
  dialect: Dialect,
): ServerMetrics {
  const { clock = systemClock } = options;
  const { showHiddenForVersion, disabled = [], allowedLabels = {} }: MetricsOptions = metrics === true ? {} : metrics;
  const recorder = (ofItself: boolean) =>
    new MetricRecorder({
      ofItself,
      release: RELEASE,
      now: () => clock.monotonic?.() ?? clock.now(),
      nameOf: (name) => metricName(dialect, name),
      translateHelp: (help) => metricHelp(dialect, help),
      showHidden: showHiddenForVersion !== undefined,
      disabled,
      allowedLabels: byFamily(allowedLabels),
    });
  const all = recorder(true);
  all.set(buildInfo, buildLabels(options.reportedVersion), 1);
  const indicators = recorder(false);
  return { all, indicators, started: collectProcess(all, indicators, clock) };
}

/** Returns the metrics pages by path. */
export function metricsPages(
  metrics: ServerMetrics,
  { ComponentSLIs: ofHealth }: Pick<FeatureGates, 'ComponentSLIs'>,
): MetricsPages {
  return new Map([
    ['/metrics', new MetricsPage(metrics.all, metrics.started)],
    ...(ofHealth ? [['/metrics/slis', new MetricsPage(metrics.indicators, metrics.started)] as const] : []),
  ]);
}

function buildLabels(reportedVersion: string | undefined): LabelValues {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } =
    versionDocument(VERSION, reportedVersion);
  return [major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform];
}

function byFamily(allowed: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, AllowedLabels> {
  const families = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of Object.entries(allowed)) {
    const [family = '', label = ''] = key.split(',');
    const labels = families.get(family) ?? new Map<string, ReadonlySet<string>>();
    labels.set(label, new Set(values));
    families.set(family, labels);
  }
  return families;
}

const storedObjects = gauge(
  'apiserver_storage_objects',
  'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
  ['resource'],
  { stability: 'STABLE' },
);

/** Collects the number of stored objects of each kind. */
export function collectObjects(metrics: Metrics, registry: ResourceRegistry, storage: Storage<ApiObject>): void {
  metrics.collect(storedObjects, () =>
    registry.current
      .stored()
      .map(({ groupResource: { group, resource }, keyPrefix }) => [
        [group === '' ? resource : `${resource}.${group}`],
        storage.count(keyPrefix),
      ]),
  );
}
