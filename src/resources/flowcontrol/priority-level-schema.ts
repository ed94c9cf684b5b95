import { always, listMap, type OutputOf, omitEmpty, omitNull, required, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, textOf } from '../fragments/core-struct.js';
import { byType } from '../fragments/workload.js';
import { type FlowControlVersion, flowControlCondition, flowControlName } from './condition.js';

/** What both versions write alike. */
/* @__NO_SIDE_EFFECTS__ */
function partsOf(version: FlowControlVersion) {
  const of = flowControlName(version);
  const exempt = struct(of('ExemptPriorityLevelConfiguration'), 'A level without limit.', () => ({
    nominalConcurrencyShares: omitNull(count, 1, 'Its part of what the server can do at a time.'),
    lendablePercent: omitNull(count, 2, 'The part of that which others may use.'),
  }));
  const queuing = struct(of('QueuingConfiguration'), 'How requests wait.', () => ({
    queues: always(count, 1, 'The number of queues.'),
    handSize: always(count, 2, 'The number of queues that one flow may use.'),
    queueLengthLimit: always(count, 3, 'The number of requests that may wait in one queue.'),
  }));
  const limitResponse = struct(
    of('LimitResponse'),
    'What becomes of requests beyond the limit.',
    () => ({
      type: required(textOf(of('LimitResponse'), 'Type'), 1, 'Queue or Reject.'),
      queuing: omitNull(queuing, 2, 'How they wait.'),
    }),
    { union: { discriminator: 'type', fields: ['queuing'] } },
  );
  const status = struct(of('PriorityLevelConfigurationStatus'), 'What was found about it.', () => ({
    conditions: omitEmpty(
      listMap(flowControlCondition(of('PriorityLevelConfigurationCondition')), ['type']),
      1,
      'The conditions.',
      byType,
    ),
  }));
  const limitedFields = () => ({
    limitResponse: always(limitResponse, 2, 'What becomes of requests beyond the limit.'),
    lendablePercent: omitNull(count, 3, 'The part of its share that others may use.'),
    borrowingLimitPercent: omitNull(count, 4, 'How much of others it may use, of its own share.'),
  });
  return { of, exempt, status, limitedFields };
}

const BY_TYPE = { union: { discriminator: 'type', fields: ['exempt', 'limited'] } };
const LEVEL = 'How many requests are served at a time.';
const SHARES = 'Its part of what the server can do at a time.';
const LIMITED = 'A level with a limit.';

const v1 = partsOf('v1');
const limited = struct(v1.of('LimitedPriorityLevelConfiguration'), LIMITED, () => ({
  nominalConcurrencyShares: omitNull(count, 1, SHARES),
  ...v1.limitedFields(),
}));
/** What a level says. */
export const priorityLevelSpec = struct(
  v1.of('PriorityLevelConfigurationSpec'),
  LEVEL,
  () => ({
    type: required(textOf(v1.of('PriorityLevel'), 'Enablement'), 1, 'Exempt or Limited.'),
    limited: omitNull(limited, 2, LIMITED),
    exempt: omitNull(v1.exempt, 3, 'A level without limit.'),
  }),
  BY_TYPE,
);
/** flowcontrol/v1 PriorityLevelConfiguration. */
export const priorityLevelSchema = topLevel(v1.of('PriorityLevelConfiguration'), LEVEL, () => ({
  spec: always(priorityLevelSpec, 2, LEVEL),
  status: always(v1.status, 3, 'What was found about it.'),
}));
export type PriorityLevel = OutputOf<typeof priorityLevelSchema>;

const v1beta3 = partsOf('v1beta3');
const limitedOfBeta = struct(v1beta3.of('LimitedPriorityLevelConfiguration'), LIMITED, () => ({
  nominalConcurrencyShares: always(count, 1, `${SHARES} 0 stands for the default.`),
  ...v1beta3.limitedFields(),
}));
const specOfBeta = struct(
  v1beta3.of('PriorityLevelConfigurationSpec'),
  LEVEL,
  () => ({
    type: required(textOf(v1beta3.of('PriorityLevel'), 'Enablement'), 1, 'Exempt or Limited.'),
    limited: omitNull(limitedOfBeta, 2, LIMITED),
    exempt: omitNull(v1beta3.exempt, 3, 'A level without limit.'),
  }),
  BY_TYPE,
);
const wholeOfBeta = topLevel(v1beta3.of('PriorityLevelConfiguration'), LEVEL, () => ({
  spec: always(specOfBeta, 2, LEVEL),
  status: always(v1beta3.status, 3, 'What was found about it.'),
}));
/** flowcontrol/v1beta3 PriorityLevelConfiguration: what it reads has shares always, 0 where none are given. */
export const priorityLevelSchemaOfBeta = wholeOfBeta as unknown as typeof priorityLevelSchema; // one more member is sure to be there
