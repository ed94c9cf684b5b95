import { equalJson } from '../../json/equal.js';
import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { expressionCheckOf, validateAllocation, validateDeviceClaim } from './device-validation.js';
import { validateDistinct, validateDriver } from './lists.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { ResourceClaim, ResourceClaimSpec } from './resource-v1alpha3.types.js';

const MOST_CONSUMERS = 32;
const MODE = 'ExactCount';

/** Sets the default number of requested devices to one. */
export function setClaimDefaults({ devices }: Draft<ResourceClaimSpec>): void {
  for (const request of devices.requests ?? []) {
    request.allocationMode ||= MODE;
    if (request.allocationMode === MODE) request.count ||= 1;
  }
}

/** Validates the spec of a claim. */
export async function validateClaimSpec(
  { devices, controller = '' }: ResourceClaimSpec,
  path: string,
  dialect: Dialect,
): Promise<FieldError[]> {
  return [
    ...validateDeviceClaim(devices, `${path}.devices`, await expressionCheckOf(devices, dialect)),
    ...(controller === '' ? [] : validateDriver(controller, `${path}.controller`)),
  ];
}

function validateStatus({ metadata, spec, status }: ResourceClaim, { status: old }: ResourceClaim): FieldError[] {
  const { allocation, reservedFor = [], deallocationRequested = false } = status;
  const forbidden = (field: string, why: string) => [fieldError.forbidden(`status${field}`, why)];
  const isGoing = metadata.deletionTimestamp !== undefined || deallocationRequested;
  const isNew = (consumer: object) => !(old.reservedFor ?? []).some((other) => equalJson(other, consumer));
  const { allocation: before, deallocationRequested: wasRequested = false } = old;
  return [
    ...(allocation ? validateAllocation(allocation, spec.devices, 'status.allocation') : []),
    ...validateDistinct(
      reservedFor,
      MOST_CONSUMERS,
      (consumer, path) =>
        (['resource', 'name', 'uid'] as const).flatMap((field) =>
          consumer[field] === '' ? [fieldError.required(`${path}.${field}`)] : [],
        ),
      'status.reservedFor',
      ({ uid }) => uid,
      'uid',
    ),
    ...(reservedFor.length > 0 && !allocation
      ? forbidden('.reservedFor', 'may not be specified when `allocated` is not set')
      : []),
    ...(allocation && isGoing && reservedFor.some(isNew)
      ? forbidden(
          '.reservedFor',
          'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
        )
      : []),
    ...(before && allocation && !equalJson(before, allocation)
      ? [
          fieldError.invalid(
            'status.allocation',
            printed(printGoSyntax(resourceV1alpha3.struct('AllocationResult'), allocation)),
            'field is immutable',
          ),
        ]
      : []),
    ...(!wasRequested && deallocationRequested && reservedFor.length > 0
      ? forbidden('.deallocationRequested', 'deallocation cannot be requested while `reservedFor` is set')
      : []),
    ...(!allocation && deallocationRequested
      ? forbidden('', '`allocation` must be set when `deallocationRequested` is set')
      : []),
    ...(wasRequested && !deallocationRequested && allocation
      ? forbidden('.deallocationRequested', 'may not be cleared when `allocation` is set')
      : []),
  ];
}

function stateOf({ metadata, status: { allocation, reservedFor = [], deallocationRequested } }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  return [
    ...(isDeleted ? ['deleted'] : []),
    ...(allocation ? ['allocated'] : isDeleted ? [] : ['pending']),
    ...(allocation && reservedFor.length > 0 ? ['reserved'] : []),
    ...(allocation && deallocationRequested ? ['deallocation-requested'] : []),
  ].join(',');
}

/** resource/v1alpha3 ResourceClaim: a request for devices. */
export const resourceClaim = defineResource({
  groupStem: 'resource',
  version: 'v1alpha3',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: resourceV1alpha3.struct('ResourceClaim'),
  setDefaults: ({ spec }) => setClaimDefaults(spec),
  resetFields: ['status'],
  // The feature gate DRAControlPlaneController enables the allocation of claims by a controller in the control plane.
  gatedFields: [
    { gate: 'DRAControlPlaneController', fields: ['spec.controller'] },
    {
      gate: 'DRAControlPlaneController',
      fields: ['status.allocation.controller'],
      // `status.allocation.controller` is kept if the stored claim names a controller in its spec or in its allocation.
      usedBy: ['spec.controller', 'status.allocation.controller'],
    },
    {
      gate: 'DRAControlPlaneController',
      fields: ['status.deallocationRequested'],
      // The request for deallocation is kept if a controller has allocated the claim.
      drop({ status }: Draft<ResourceClaim>) {
        if (!status.allocation?.controller) delete status.deallocationRequested;
      },
    },
  ],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate: ({ spec }, { host }) => validateClaimSpec(spec, 'spec', host.dialect),
    // Upstream reports the errors of the spec twice.
    async validateUpdate({ spec }, { spec: old }, { host }) {
      if (equalJson(spec, old)) return [];
      const errors = await validateClaimSpec(spec, 'spec', host.dialect);
      const shown = printed(printGoSyntax(resourceV1alpha3.struct('ResourceClaimSpec'), spec));
      return [...errors, METADATA_CHECK, fieldError.invalid('spec', shown, 'field is immutable'), ...errors];
    },
  },
  subresources: {
    status: {
      table: false,
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate: keepAllButStatus,
        validateUpdate: validateStatus,
      },
    },
  },
  columns: [nameColumn, { name: 'State', type: 'string', description: 'The state of the claim.', cell: stateOf }, age],
});
