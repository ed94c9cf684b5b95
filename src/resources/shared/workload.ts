import type { FieldError } from '../../meta/field-error.js';
import { dns1123Label } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { keepMetadata } from '../../registry/definitions/separate-status.js';
import type { Draft } from '../../registry/strategy.js';
import { validateAtMost, validateCounts } from './counts.js';

/** Keeps the stored status when the object is written. */
export function keepStatus(draft: { status: unknown }, old: ApiObject & { readonly status: unknown }): void {
  Object.assign(draft, { status: old.status });
}

/** Keeps the stored spec when the status is written. */
export function keepSpec(draft: { spec: unknown }, old: ApiObject & { readonly spec: unknown }): void {
  Object.assign(draft, { spec: old.spec });
}

/** Keeps everything but the status when the status is written. */
export function keepAllButStatus(
  draft: Draft<ApiObject & { readonly spec: unknown }>,
  old: ApiObject & { readonly spec: unknown },
): void {
  keepSpec(draft, old);
  keepMetadata(draft, old);
}

interface ReplicaCounts {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
}

/** Returns the validation errors of the replica counts in a status. */
export function validateReplicaStatus({ status: observed }: { readonly status: ReplicaCounts }): FieldError[] {
  return [
    ...validateCounts('status', observed, [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
    ]),
    ...validateAtMost(
      observed,
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      observed.replicas,
      'status.replicas',
    ),
    ...validateAtMost(observed, ['availableReplicas'], observed.readyReplicas, 'readyReplicas'),
  ];
}

/** Returns a warning if the name of a new object is not a valid host name, because the names of the object's pods begin with that name. */
export function podNameWarnings({ metadata }: ApiObject, old: ApiObject | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}
