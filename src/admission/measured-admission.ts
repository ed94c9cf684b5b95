import { reading } from '../meta/clock.js';
import type { Flow } from '../meta/flow.js';
import type { Host } from '../meta/host.js';
import { histogram } from '../metrics/families.js';
import type { MetricFamily } from '../metrics/metrics.js';
import type { AdmissionPlugin, Operation } from './admission-plugin.js';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const step = histogram(
  'apiserver_admission_step_admission_duration_seconds',
  'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
  ['type', 'operation', 'rejected'],
  BUCKETS,
  { stability: 'STABLE' },
);
const stepSummary: MetricFamily = {
  name: 'apiserver_admission_step_admission_duration_seconds_summary',
  help: 'Admission sub-step latency summary in seconds, broken out for each operation and API resource and step type (validate or admit).',
  type: 'summary',
  labels: ['type', 'operation', 'rejected'],
  stability: 'ALPHA',
};
const controller = histogram(
  'apiserver_admission_controller_admission_duration_seconds',
  'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ['name', 'type', 'operation', 'rejected'],
  BUCKETS,
  { stability: 'STABLE' },
);

type Half = 'admit' | 'validate';
type UnmeasuredPart = Omit<AdmissionPlugin, 'rules' | 'handles' | 'atCommit' | Half>;

/**
 * Returns the properties of a plug-in, for the plug-in that measures it. The return type requires every property, so that the compiler
 * reports a property that is forgotten here.
 */
function factsOf({ name, sideEffects = false, connects = false }: AdmissionPlugin): Required<UnmeasuredPart> {
  return { name, sideEffects, connects };
}

/** Measures the duration of admission, as a whole and for each plug-in. */
export class AdmissionMeter {
  readonly #host: Pick<Host, 'metrics' | 'clock'>;

  constructor(host: Pick<Host, 'metrics' | 'clock'>) {
    this.#host = host;
  }

  /** Runs the flow of the mutating or the validating phase, and measures its duration. */
  *phase<T>(half: Half, operation: Operation, flow: Flow<T>): Flow<T> {
    const { metrics, clock } = this.#host;
    const since = reading(clock);
    let rejected = true;
    try {
      const result = yield* flow;
      rejected = false;
      return result;
    } finally {
      const seconds = (reading(clock) - since) / 1000;
      const labels = [half, operation, String(rejected)];
      metrics.observe(step, labels, seconds);
      metrics.observe(stepSummary, labels, seconds);
    }
  }

  /** Returns a plug-in that calls the given one and measures its calls. */
  plugin(plugin: AdmissionPlugin): AdmissionPlugin {
    const { name, rules } = plugin;
    return {
      ...factsOf(plugin),
      ...(rules ? { rules } : {}),
      ...(plugin.handles ? { handles: (attributes) => plugin.handles?.(attributes) ?? true } : {}),
      ...(plugin.atCommit ? { atCommit: (attributes) => plugin.atCommit?.(attributes) } : {}),
      ...(plugin.admit
        ? {
            admit: (attributes, rounds) =>
              this.#measure(name, 'admit', attributes.operation, () => plugin.admit?.(attributes, rounds)),
          }
        : {}),
      ...(plugin.validate
        ? {
            validate: (attributes) =>
              this.#measure(name, 'validate', attributes.operation, () => plugin.validate?.(attributes)),
          }
        : {}),
    };
  }

  #measure<T>(name: string, half: Half, operation: Operation, ask: () => T | Promise<T>): T | Promise<T> {
    const { metrics, clock } = this.#host;
    const since = reading(clock);
    const ended = (rejected: boolean) =>
      metrics.observe(controller, [name, half, operation, String(rejected)], (reading(clock) - since) / 1000);
    let answer: T | Promise<T>;
    try {
      answer = ask();
    } catch (error) {
      ended(true);
      throw error;
    }
    if (answer instanceof Promise)
      return answer.then(
        (value) => {
          ended(false);
          return value;
        },
        (error: unknown) => {
          ended(true);
          throw error;
        },
      );
    ended(false);
    return answer;
  }
}
