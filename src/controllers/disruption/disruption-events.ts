import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { serveResource } from '../../registry/served/served-resource.js';
import { pod as podKind } from '../../resources/core/index.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { podDisruptionBudget } from '../../resources/policy/index.js';
import type { PodDisruptionBudget } from '../../resources/policy/policy-v1.types.js';
import { quote } from '../../values/quote.js';
import type { ControllerContext } from '../controller.js';
import { EventRecorder, type InvolvedObject, type NewEvent } from '../event-recorder.js';

const COMPONENT = 'controllermanager';
const recorders = new WeakMap<ControllerContext, EventRecorder>();

/** The fields of an event, without the object that it is about. */
export type EventContent = Omit<NewEvent, 'involvedObject'>;

export const reportOfBudget = (
  budget: PodDisruptionBudget,
  content: EventContent,
  context: ControllerContext,
): Promise<void> => report(podDisruptionBudget, budget, content, context);

export const reportOfPod = (pod: Pod, content: EventContent, context: ControllerContext): Promise<void> =>
  report(podKind, pod, content, context);

/** Writes an event about a pod that several budgets select. The message names only one of them. */
export function reportShared(pod: Pod, budget: PodDisruptionBudget, context: ControllerContext): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata;
  const which = `${quote(namespace)}/${quote(name)}`;
  return reportOfPod(
    pod,
    {
      type: 'Warning',
      reason: 'MultiplePodDisruptionBudgets',
      message: `Pod ${which} matches multiple PodDisruptionBudgets.  Chose ${quote(budget.metadata.name ?? '')} arbitrarily.`,
    },
    context,
  );
}

async function report<T extends Pod | PodDisruptionBudget>(
  kind: ResourceDefinition<T>,
  { metadata }: T,
  content: EventContent,
  context: ControllerContext,
): Promise<void> {
  let recorder = recorders.get(context);
  if (!recorder) recorders.set(context, (recorder = new EventRecorder(context, COMPONENT)));
  const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
  const { apiVersion, gvk } = serveResource(kind, context.host.dialect);
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  const involvedObject: InvolvedObject = { kind: gvk.kind, namespace, name, uid, apiVersion, ...version };
  await recorder.record({ involvedObject, ...content });
}
