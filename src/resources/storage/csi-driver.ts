import { equalJson } from '../../json/equal.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { listSet, string } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, nameColumn } from '../shared/columns.js';
import { storageV1 } from './storage-v1.js';
import type { CSIDriverSpec } from './storage-v1.types.js';

const FS_GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLE_MODES = ['Persistent', 'Ephemeral'];
/** Minimum lifetime of a token in seconds. */
const MIN_EXPIRATION = 600;
const MAX_EXPIRATION = 2 ** 32;

/** Fields that may change. A change of them increases the generation. */
const MUTABLE = [
  'podInfoOnMount',
  'storageCapacity',
  'fsGroupPolicy',
  'tokenRequests',
  'requiresRepublish',
  'seLinuxMount',
] as const;

const lifecycleModes = listSet(string({ typeName: 'v1.VolumeLifecycleMode' }));

/** storage/v1 CSIDriver: a storage driver that runs in the cluster. */
export const csiDriver = defineResource({
  groupStem: 'storage',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  metadataChecks: ['changes'],
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  schema: storageV1.struct('CSIDriver'),
  setDefaults({ spec }) {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  gatedFields: [{ gate: 'SELinuxMountReadWriteOncePod', fields: ['spec.seLinuxMount'] }],
  strategy: {
    prepareForUpdate({ metadata, spec }, old) {
      if (MUTABLE.some((field) => !equalJson(spec[field], old.spec[field])))
        metadata.generation = (metadata.generation ?? 0) + 1;
    },
    validate: ({ spec }) => validateSpec(spec),
    validateUpdate: ({ spec }, old) => [...validateSpec(spec), ...validateFixedFields(spec, old.spec)],
  },
  columns: [
    nameColumn,
    {
      name: 'AttachRequired',
      type: 'boolean',
      description: 'Whether volumes are attached before they are mounted.',
      cell: ({ spec }) => spec.attachRequired ?? true,
    },
    {
      name: 'PodInfoOnMount',
      type: 'boolean',
      description: 'Whether it receives information about the pod.',
      cell: ({ spec }) => spec.podInfoOnMount ?? false,
    },
    {
      name: 'StorageCapacity',
      type: 'boolean',
      description: 'Whether scheduling considers the storage capacity.',
      cell: ({ spec }) => spec.storageCapacity ?? false,
    },
    {
      name: 'TokenRequests',
      type: 'string',
      description: 'The audiences of its tokens.',
      cell: ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    },
    {
      name: 'RequiresRepublish',
      type: 'boolean',
      description: 'Whether volumes are published periodically.',
      cell: ({ spec }) => spec.requiresRepublish ?? false,
    },
    {
      name: 'Modes',
      type: 'string',
      description: 'Persistent, Ephemeral or both.',
      cell: ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>',
    },
    age,
  ],
});

function validateSpec({ fsGroupPolicy = '', tokenRequests = [], volumeLifecycleModes = [] }: CSIDriverSpec) {
  return [
    ...(FS_GROUP_POLICIES.includes(fsGroupPolicy)
      ? []
      : [fieldError.notSupported('spec.fsGroupPolicy', fsGroupPolicy, FS_GROUP_POLICIES)]),
    ...validateTokenRequests(tokenRequests),
    ...errorsOf(volumeLifecycleModes, (mode) =>
      LIFECYCLE_MODES.includes(mode)
        ? []
        : [fieldError.notSupported('spec.volumeLifecycleModes', mode, LIFECYCLE_MODES)],
    ),
  ];
}

function validateTokenRequests(requests: NonNullable<CSIDriverSpec['tokenRequests']>): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(requests, ({ audience, expirationSeconds: seconds }, i) => {
    const path = `spec.tokenRequests[${i}]`;
    if (seen.has(audience)) return [fieldError.duplicate(`${path}.audience`, audience)];
    seen.add(audience);
    const refuse = (why: string) => [fieldError.invalid(`${path}.expirationSeconds`, seconds, why)];
    if (seconds === undefined) return [];
    if (seconds < MIN_EXPIRATION) return refuse('may not specify a duration less than 10 minutes');
    return seconds > MAX_EXPIRATION ? refuse('may not specify a duration larger than 2^32 seconds') : [];
  });
}

function validateFixedFields(next: CSIDriverSpec, old: CSIDriverSpec): FieldError[] {
  const why = 'field is immutable';
  const errors: FieldError[] = [];
  if (next.attachRequired !== old.attachRequired)
    errors.push(fieldError.invalid('spec.attachedRequired', next.attachRequired, why));
  const { volumeLifecycleModes: modes } = next;
  if (!equalJson(modes, old.volumeLifecycleModes))
    errors.push(
      fieldError.invalid('spec.volumeLifecycleModes', printed(printGoSyntax(lifecycleModes, modes, 'storage')), why),
    );
  return errors;
}
