import { isAlreadyExists } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { priorityClass } from '../../resources/scheduling/index.js';
import { systemPriorityClasses } from '../../resources/scheduling/system-priority-classes.js';
import { type ControllerDefinition, servedAs } from '../controller.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';

/** Creates the system's priority classes at the start. Admission refuses to delete them. */
export const systemPriorityClassesController: ControllerDefinition = {
  name: 'system-priority-classes-controller',
  ofServer: true,
  seeds: () => [seedsOf(priorityClass, systemPriorityClasses)],
  follow({ host, queue }) {
    if (servedAs(host, priorityClass)) for (const { metadata } of systemPriorityClasses) queue.add(metadata.name);
  },
  async reconcile(name, { host, client }) {
    const desired = systemPriorityClasses.find(({ metadata }) => metadata.name === name);
    const existing = host.lister(groupOf(host.dialect, 'scheduling'), 'priorityclasses').get('', name);
    if (!desired || existing) return;
    await client.create(priorityClass, desired).catch(unless(isAlreadyExists));
  },
};
