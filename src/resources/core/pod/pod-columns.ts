import type { Column } from '../../../registry/resource-definition.js';
import { age, ageCell, nameColumn } from '../../fragments/columns.js';
import type { Pod } from './pod-schema.js';
import type { ContainerStatus } from './pod-status.js';

/** What the columns say about a pod's containers. */
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

/** Why the pod still waits for its init containers; undefined when it does not. */
function initReason({ spec, status }: Pod, stays: ReadonlySet<string>): string | undefined {
  for (const [i, { name, state, started }] of (status.initContainerStatuses ?? []).entries()) {
    if (state.terminated?.exitCode === 0 || (stays.has(name) && started)) continue;
    if (state.terminated) return `Init:${endReason(state.terminated)}`;
    const waiting = state.waiting?.reason ?? '';
    return waiting !== '' && waiting !== 'PodInitializing'
      ? `Init:${waiting}`
      : `Init:${i}/${spec.initContainers?.length ?? 0}`;
  }
  return undefined;
}

const isTrue = ({ status }: Pod, type: string) =>
  status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;

/** The reason of the first container that has one; `Completed` does not count while another runs. */
function containerReason(pod: Pod, statuses: readonly ContainerStatus[], otherwise: string): string {
  const reasons = statuses.flatMap(
    ({ state }) => (state.waiting?.reason || (state.terminated ? endReason(state.terminated) : undefined)) ?? [],
  );
  const reason = reasons[0] ?? otherwise;
  if (reason !== 'Completed' || !statuses.some(({ ready, state }) => ready && state.running)) return reason;
  return isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

function summarize(pod: Pod): Summary {
  const { metadata, spec, status } = pod;
  const stays = new Set(spec.initContainers?.filter((c) => c.restartPolicy === 'Always').map((c) => c.name));
  const [inits, mains] = [status.initContainerStatuses ?? [], status.containerStatuses ?? []];
  const init = initReason(pod, stays);
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
  const readyMains = initializing ? [] : mains.filter(({ ready, state }) => ready && state.running);
  return {
    ready: staying.filter(({ ready, started }) => ready && started).length + readyMains.length,
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
