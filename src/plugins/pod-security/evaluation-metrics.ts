import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { counter } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { LevelVersion, Mode } from './level.js';

const evaluations = counter(
  'pod_security_evaluations_total',
  'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
  ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource'],
);
const exemptions = counter(
  'pod_security_exemptions_total',
  'Number of exempt requests, not counting ignored or out of scope requests.',
  ['request_operation', 'resource', 'subresource'],
);
const errors = counter(
  'pod_security_errors_total',
  'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
  ['fatal', 'request_operation', 'resource', 'subresource'],
);
/** The newest release with a label of its own; later releases share the label of the future. */
const NEWEST = 31;

/** Counts evaluations of pods and their results. */
export class EvaluationCounter {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    // As upstream, the most common result is exposed from the start.
    for (const operation of ['create', 'update'])
      for (const resource of ['pod', 'controller'])
        metrics.add(evaluations, ['allow', 'privileged', 'latest', 'enforce', operation, resource, ''], 0);
  }

  evaluated(allowed: boolean, { level, version }: LevelVersion, mode: Mode, attributes: AdmissionAttributes): void {
    const release = version === 'latest' ? version : version > NEWEST ? 'future' : `v1.${version}`;
    const decision = allowed ? 'allow' : 'deny';
    this.#metrics.add(evaluations, [decision, level, release, mode, ...requestLabels(attributes)]);
  }

  /** Counts labels that cannot be parsed and are therefore treated strictly. */
  misunderstood(attributes: AdmissionAttributes): void {
    this.#metrics.add(errors, ['false', ...requestLabels(attributes)]);
  }

  exempted(attributes: AdmissionAttributes): void {
    this.#metrics.add(exemptions, requestLabels(attributes));
  }
}

function requestLabels({ operation, resource, subresource }: AdmissionAttributes): string[] {
  const sort = resource.resource === 'pods' ? 'pod' : resource.resource === 'namespaces' ? 'namespace' : 'controller';
  return [operation.toLowerCase(), sort, subresource];
}
