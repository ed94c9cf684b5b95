import type { Column, RowCondition } from '../../../registry/resource-definition.js';
import { age, ageCell, nameColumn } from '../../shared/columns.js';
import type { ContainerStatus, Pod } from '../core-v1.types.js';

/** The values of the table columns about a pod's containers. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

type Terminated = NonNullable<ContainerStatus['state']['terminated']>;

function endReason({ reason = '', signal = 0, exitCode }: Terminated): string {
  return reason !== '' ? reason : signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** Returns the index of the first init container that the pod still waits for, or -1. */
function waitsFor({ status }: Pod, stays: ReadonlySet<string>): number {
  return (status.initContainerStatuses ?? []).findIndex(
    ({ name, state, started }) => state.terminated?.exitCode !== 0 && !(stays.has(name) && started),
  );
}

/** Returns why the pod waits for the init container at index `place`. */
function initReason({ spec, status }: Pod, place: number): string {
  const { terminated, waiting } = status.initContainerStatuses?.[place]?.state ?? {};
  if (terminated) return `Init:${endReason(terminated)}`;
  const why = waiting?.reason ?? '';
  return why !== '' && why !== 'PodInitializing' ? `Init:${why}` : `Init:${place}/${spec.initContainers?.length ?? 0}`;
}

const isTrue = ({ status }: Pod, type: string) =>
  status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;

const reasonOf = ({ state: { waiting, terminated } }: ContainerStatus): string | undefined =>
  waiting?.reason || (terminated ? endReason(terminated) : undefined);
const runs = (container: ContainerStatus): boolean =>
  reasonOf(container) === undefined && container.ready && container.state.running !== undefined;

/** Returns the reason of the first container that has one. The reason `Completed` is ignored while another container runs. */
function containerReason(pod: Pod, statuses: readonly ContainerStatus[], otherwise: string): string {
  const reason = statuses.flatMap((status) => reasonOf(status) ?? [])[0] ?? otherwise;
  if (reason !== 'Completed' || !statuses.some(runs)) return reason;
  return isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

function summarize(pod: Pod): Summary {
  const { metadata, spec, status } = pod;
  const stays = new Set(spec.initContainers?.filter((c) => c.restartPolicy === 'Always').map((c) => c.name));
  const place = waitsFor(pod, stays);
  // Init containers after the one for which the pod waits are not counted.
  const inits = (status.initContainerStatuses ?? []).slice(0, place === -1 ? undefined : place + 1);
  const mains = status.containerStatuses ?? [];
  const init = place === -1 ? undefined : initReason(pod, place);
  const initializing = init !== undefined && !isTrue(pod, 'Initialized');

  const gated = status.conditions?.some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated');
  let reason = gated ? 'SchedulingGated' : status.reason || (status.phase ?? '');
  reason = initializing ? init : containerReason(pod, mains, init ?? reason);
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (metadata.deletionTimestamp && status.reason === 'NodeLost') reason = 'Unknown';
  else if (metadata.deletionTimestamp && !over) reason = 'Terminating';

  const staying = inits.filter(({ name }) => stays.has(name));
  const counted = initializing ? inits : [...staying, ...mains];
  const ends = counted.flatMap(({ lastState }) => lastState.terminated?.finishedAt ?? []).sort();
  return {
    ready:
      staying.filter(({ ready, started, state }) => ready && started && state.terminated?.exitCode !== 0).length +
      (initializing ? 0 : mains.filter(runs).length),
    total: (spec.containers?.length ?? 0) + stays.size,
    status: reason,
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestart: ends.at(-1),
  };
}

function restarts(pod: Pod, now: number): string {
  const { restarts: count, lastRestart } = summarize(pod);
  return count === 0 || lastRestart === undefined ? String(count) : `${count} (${ageCell(lastRestart, now)} ago)`;
}

function gates({ spec: { readinessGates = [] }, status }: Pod): string {
  if (readinessGates.length === 0) return '<none>';
  const met = new Set(status.conditions?.filter((c) => c.status === 'True').map(({ type }) => type));
  const passed = readinessGates.filter((gate) => met.has(gate.conditionType));
  return `${passed.length}/${readinessGates.length}`;
}

type Cell = (pod: Pod, now: number) => string;
const column = (name: string, description: string, cell: Cell, priority = 0): Column<Pod> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
});

export const podColumns: readonly Column<Pod>[] = [
  nameColumn,
  column('Ready', 'How many of its containers are ready.', (pod) => {
    const { ready, total } = summarize(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'The current state.', (pod) => summarize(pod).status),
  column('Restarts', 'How often its containers were restarted.', restarts),
  age,
  column('IP', 'Its address.', ({ status }) => status.podIPs?.[0]?.ip || status.podIP || '<none>', 1),
  column('Node', 'Node it runs on.', ({ spec }) => spec.nodeName || '<none>', 1),
  column(
    'Nominated Node',
    'Node it may get once others have left.',
    ({ status }) => status.nominatedNodeName || '<none>',
    1,
  ),
  column('Readiness Gates', 'How many of its readiness gates are passed.', gates, 1),
];

const ENDED: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

/** Returns a condition for a pod that has ended, so that clients can hide its row. */
export function podRowConditions({ status }: Pod): readonly RowCondition[] | undefined {
  const reason: string = status.phase ?? '';
  const message = Object.hasOwn(ENDED, reason) ? ENDED[reason] : undefined;
  return message === undefined ? undefined : [{ type: 'Completed', status: 'True', reason, message }];
}
