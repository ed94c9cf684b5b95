import { type Dialect, groupOf } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type Column, defineResource } from '../../registry/resource-definition.js';
import type { Draft, StrategyContext } from '../../registry/strategy.js';
import type { Typed } from '../../schema/authoring.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { validateConditionTypes } from './condition.js';
import { flowcontrolV1 } from './flowcontrol-v1.js';
import type { PriorityLevelConfiguration } from './flowcontrol-v1.types.js';
import { flowcontrolV1beta3 } from './flowcontrol-v1beta3.js';
import { FLOW_CONTROL, NEWER, OLDER } from './names.js';
import { validatePriorityLevel } from './priority-level-validation.js';

const SHARES = 30;
const QUEUING = { queues: 64, handSize: 8, queueLengthLimit: 50 };

/** Returns the annotation that distinguishes zero shares from absent shares in v1beta3. */
const noSharesAnnotation = ({ groupSuffix }: Dialect): string =>
  `flowcontrol.${groupSuffix}/v1beta3-preserve-zero-concurrency-shares`;

function setDefaults({ spec: { limited, exempt } }: Draft<PriorityLevelConfiguration>): void {
  if (exempt) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (!limited) return;
  limited.nominalConcurrencyShares ??= SHARES;
  limited.lendablePercent ??= 0;
  const { queuing } = limited.limitResponse;
  if (!queuing) return;
  queuing.queues ||= QUEUING.queues;
  queuing.handSize ||= QUEUING.handSize;
  queuing.queueLengthLimit ||= QUEUING.queueLengthLimit;
}

function setDefaultsOfBeta(draft: Draft<PriorityLevelConfiguration>, dialect: Dialect): void {
  const { limited } = draft.spec;
  const means = draft.metadata.annotations?.[noSharesAnnotation(dialect)] !== undefined;
  if (limited && !means) limited.nominalConcurrencyShares ||= SHARES;
  setDefaults(draft);
}

/** Refuses the annotation for zero shares, because it exists only in v1beta3 and is not stored. */
function refuseAnnotation({ metadata }: PriorityLevelConfiguration, { host }: StrategyContext): FieldError[] {
  const annotation = noSharesAnnotation(host.dialect);
  if (metadata.annotations?.[annotation] === undefined) return [];
  return [fieldError.forbidden('metadata.annotations', `annotation '${annotation}' is forbidden`)];
}

const ofLimited = (cell: (limited: NonNullable<PriorityLevelConfiguration['spec']['limited']>) => number | undefined) =>
  (({ spec: { limited } }: PriorityLevelConfiguration) =>
    (limited && cell(limited)) ?? '<none>') satisfies Column<PriorityLevelConfiguration>['cell'];
const column = (
  name: string,
  description: string,
  cell: Column<PriorityLevelConfiguration>['cell'],
): Column<PriorityLevelConfiguration> => ({
  name,
  type: 'string',
  description,
  cell,
});

/** The members of the kind definition that v1 and v1beta3 share. */
const common = {
  groupStem: FLOW_CONTROL,
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  metadataChecks: ['whole'],
  scope: 'Cluster',
  tracksGeneration: true,
  resetFields: ['status'],
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateConditionTypes },
    },
  },
  columns: [
    nameColumn,
    column('Type', 'Exempt or Limited.', ({ spec }) => spec.type),
    column(
      'NominalConcurrencyShares',
      'Its part of what the server can do at a time.',
      ofLimited(({ nominalConcurrencyShares }) => nominalConcurrencyShares),
    ),
    column(
      'Queues',
      'The number of queues.',
      ofLimited(({ limitResponse }) => limitResponse.queuing?.queues),
    ),
    column(
      'HandSize',
      'The number of queues that one flow may use.',
      ofLimited(({ limitResponse }) => limitResponse.queuing?.handSize),
    ),
    column(
      'QueueLengthLimit',
      'The number of requests that may wait in one queue.',
      ofLimited(({ limitResponse }) => limitResponse.queuing?.queueLengthLimit),
    ),
    age,
  ],
} as const;

const strategy = {
  prepareForCreate: (draft: Draft<PriorityLevelConfiguration>) => void Object.assign(draft, { status: {} }),
  prepareForUpdate: keepStatus,
};

/** flowcontrol/v1 PriorityLevelConfiguration: how many requests of a level are served concurrently. */
export const priorityLevelConfiguration = defineResource({
  ...NEWER,
  ...common,
  schema: flowcontrolV1.struct('PriorityLevelConfiguration'),
  setDefaults,
  strategy: {
    ...strategy,
    validate: (object, context) => [...refuseAnnotation(object, context), ...validatePriorityLevel(object)],
  },
});

/** flowcontrol/v1beta3 PriorityLevelConfiguration. */
export const priorityLevelConfigurationV1beta3 = defineResource({
  ...OLDER,
  ...common,
  // In v1beta3, absent shares are read as 0.
  schema: flowcontrolV1beta3.struct('PriorityLevelConfiguration') as Typed<PriorityLevelConfiguration>,
  setDefaults: setDefaultsOfBeta,
  strategy: { ...strategy, validate: validatePriorityLevel },
  storedAs: {
    definition: priorityLevelConfiguration,
    toStorage: (object, dialect) => ({
      ...withAnnotation(object, dialect, undefined),
      apiVersion: `${groupOf(dialect, FLOW_CONTROL)}/v1`,
    }),
    fromStorage(object, dialect) {
      // The object may be a field set in managedFields, which does not always contain the spec.
      const { spec } = object as Partial<PriorityLevelConfiguration>;
      const means = spec?.limited?.nominalConcurrencyShares === 0;
      const apiVersion = `${groupOf(dialect, FLOW_CONTROL)}/v1beta3`;
      return { ...(means ? withAnnotation(object, dialect, '') : object), apiVersion };
    },
  },
});

/** Returns the object with or without the annotation for zero shares. */
function withAnnotation(object: ApiObject, dialect: Dialect, value: string | undefined): ApiObject {
  const { annotations: oldAnnotations = {}, ...metadata } = object.metadata;
  const name = noSharesAnnotation(dialect);
  if (oldAnnotations[name] === value) return object;
  const { [name]: _gone, ...others } = oldAnnotations;
  const annotations = value === undefined ? others : { ...others, [name]: value };
  return {
    ...object,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}
