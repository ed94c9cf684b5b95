import { formatTime } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { FlowSchema } from '../../resources/flowcontrol/flowcontrol-v1.types.js';
import { flowSchema, priorityLevelConfiguration } from '../../resources/flowcontrol/index.js';
import { DANGLING } from '../../resources/flowcontrol/names.js';
import { quote } from '../../values/quote.js';
import { type ControllerDefinition, listerOf, stopAll } from '../controller.js';
import { seedsOf } from '../seed.js';

const MANAGER = 'api-priority-and-fairness-config-consumer-v1';

/** Sets a condition on every flow schema. The condition reports whether the schema's priority level exists. */
export const flowSchemaStatus: ControllerDefinition = {
  name: 'flow-schema-status-controller',
  ofServer: true,
  seeds(host) {
    const schemas = listerOf(host, flowSchema);
    const objects = schemas.list().flatMap((schema) => {
      const condition = conditionOf(schema, host);
      return condition ? [{ metadata: { name: schema.metadata.name ?? '' }, status: { conditions: [condition] } }] : [];
    });
    return [seedsOf(flowSchema, objects, { manager: MANAGER, applied: true, subresource: 'status' })];
  },
  follow({ host, queue }) {
    const schemas = listerOf(host, flowSchema);
    for (const { metadata } of schemas.list()) queue.add(metadata.name ?? '');
    const stopSchemas = schemas.onChange((next, previous) => {
      // A change of the status is followed, too, because another client may have overwritten the condition.
      if (next && (next.spec !== previous?.spec || next.status !== previous?.status))
        queue.add(next.metadata.name ?? '');
    });
    const stopLevels = listerOf(host, priorityLevelConfiguration).onChange((next, previous) => {
      // An update of a priority level does not change whether the level exists, so no flow schema is queued.
      if (next && previous) return;
      const name = (next ?? previous)?.metadata.name;
      for (const { metadata, spec } of schemas.list())
        if (spec.priorityLevelConfiguration.name === name) queue.add(metadata.name ?? '');
    });
    return stopAll([stopSchemas, stopLevels]);
  },
  async reconcile(name, { host, client }) {
    const schema = listerOf(host, flowSchema).get('', name);
    if (!schema) return;
    const condition = conditionOf(schema, host);
    if (!condition) return;
    await client.apply(
      flowSchema,
      { metadata: { name }, status: { conditions: [condition] } },
      { subresource: 'status', fieldManager: MANAGER, force: true },
    );
  },
};

/** Returns the condition that a flow schema should have; undefined when it has it already. */
function conditionOf(schema: FlowSchema, host: Host) {
  const { name: level } = schema.spec.priorityLevelConfiguration;
  const levelExists = listerOf(host, priorityLevelConfiguration).get('', level) !== undefined;
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${quote(level)}`;
  const desiredCondition = {
    status: levelExists ? 'False' : 'True',
    reason: levelExists ? 'Found' : 'NotFound',
    message: `${about} ${levelExists ? 'and it exists' : 'but there is no such object'}`,
  };
  const found = schema.status.conditions?.find(({ type }) => type === DANGLING);
  if (
    found?.status === desiredCondition.status &&
    found.reason === desiredCondition.reason &&
    found.message === desiredCondition.message
  )
    return undefined;
  const { status, reason, message } = desiredCondition;
  // As in upstream, the time is that of every change of the condition, even if its status stays the same.
  return { type: DANGLING, status, lastTransitionTime: formatTime(host.clock.now()), reason, message };
}
