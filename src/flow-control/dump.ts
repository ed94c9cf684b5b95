import { compareText } from '../json/order.js';
import { durationOfMilliseconds, formatDuration } from '../values/duration.js';
import { shortTime } from '../values/time.js';
import { type FlowRequest, Queue, WORK_UNITS } from './flow-request.js';
import type { PriorityLevel } from './priority-level.js';

const LEVELS = [
  ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
  ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
];
const QUEUES = [
  ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
  ...['InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'],
];
const REQUESTS = [
  ...['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher', 'ArriveTime'],
  ...['InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime'],
];
const DETAILS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

const NARROWEST = 8;
const NOT_STARTED = '0001-01-01T00:00:00Z';
/** If a level has more queues than this number, only the queues in use are listed, because a level may have millions of queues. */
const MOST_QUEUES = 1024;

type Row = readonly (string | number | boolean)[];

/**
 * Returns a debugging table as text (spec 18.9); undefined for an unknown name.
 * @param details whether the table contains the attributes of requests
 * @param epoch the number that is added to a clock reading to get milliseconds since the epoch
 */
export function dumpOf(
  name: string,
  levels: readonly PriorityLevel[],
  details: boolean,
  epoch: number,
): string | undefined {
  const sorted = [...levels].sort((a, b) => compareText(a.name, b.name));
  switch (name) {
    case 'dump_priority_levels':
      return table([LEVELS, ...sorted.map(levelRow)]);
    case 'dump_queues':
      return table([QUEUES, ...sorted.flatMap(queueRows)]);
    case 'dump_requests':
      return table([
        details ? [...REQUESTS, ...DETAILS] : REQUESTS,
        ...sorted.flatMap((level) => requestRows(level, details, epoch)),
      ]);
    default:
      return undefined;
  }
}

function levelRow({ name, quiescing, queueSet }: PriorityLevel): Row {
  const { idle, waiting, executing, dispatched, rejected, timedOut, cancelled } = queueSet;
  const active = [...queueSet.queues.values()].filter((queue) => queue.waiting.size > 0).length;
  return [name, active, idle, quiescing, waiting, executing.size, dispatched, rejected, timedOut, cancelled];
}

function queueRows({ name, spec: { response }, queueSet: { queues } }: PriorityLevel): Row[] {
  const inUse = [...queues.values()].filter((queue) => queue.inUse).sort((a, b) => a.index - b.index);
  const all =
    response.type === 'Queue' && response.queues <= MOST_QUEUES
      ? [
          ...Array.from({ length: response.queues }, (_, index) => {
            const queue = queues.get(index);
            return queue?.inUse ? queue : new Queue(index);
          }),
          ...inUse.filter(({ index }) => index >= response.queues),
        ]
      : inUse;
  return all.map((queue) => [
    ...[name, queue.index, queue.waiting.size, queue.executing, queue.seatsInUse],
    ...[workText(queue.nextDispatchR), queue.initialSeatsSum, queue.maxSeatsSum],
    workText(queue.totalWorkSum),
  ]);
}

const workText = (work: number): string => `${(work / WORK_UNITS).toFixed(8)}ss`;

/**
 * Returns the rows of requests, by queue: first the waiting requests of the queue, then those that are being served. Requests that did not
 * pass a queue come last.
 */
function requestRows({ name, queueSet: { queues, executing } }: PriorityLevel, details: boolean, epoch: number): Row[] {
  const row = (request: FlowRequest, position: number) => [
    name,
    ...requestCells(request, position, epoch),
    ...(details ? detailCells(request) : []),
  ];
  const served = [...executing];
  return [
    ...[...queues.values()]
      .sort((a, b) => a.index - b.index)
      .flatMap((queue) => [
        ...[...queue.waiting].map(row),
        ...served.filter((request) => request.queue === queue).map((request) => row(request, -1)),
      ]),
    ...served.filter(({ queue }) => queue === undefined).map((request) => row(request, -1)),
  ];
}

function requestCells(request: FlowRequest, position: number, epoch: number): Row {
  const { counts, queue, distinguisher, arrival, initialSeats, finalSeats, additionalLatency } = request;
  return [
    ...[counts.labels[1], queue?.index ?? -1, position, distinguisher, timeText(epoch + arrival.at)],
    ...[initialSeats, finalSeats, formatDuration(durationOfMilliseconds(additionalLatency))],
    request.startedAt === undefined ? NOT_STARTED : timeText(epoch + request.startedAt),
  ];
}

function detailCells({ call: { user, info } }: FlowRequest): Row {
  const { verb, path, namespace, name, group, version, resource, subresource } = info;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.username, verb, path, namespace, name, apiVersion, resource, subresource];
}

/** Formats a time with as many digits of its fraction as necessary. */
const timeText = (milliseconds: number): string => shortTime(new Date(milliseconds).toISOString());

/** Formats a table whose cells end with a comma and are aligned in columns. */
function table(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map((cell, i) => (i + 1 < row.length ? `${cell},` : `${cell}`)));
  const widths = (texts[0] ?? []).map((_, i) =>
    texts.reduce((width, row) => Math.max(width, lengthOf(row[i] ?? '') + 1), NARROWEST),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i + 1 < row.length ? cell + ' '.repeat((widths[i] ?? 0) - lengthOf(cell)) : cell)).join('');
  return texts.map((row) => `${line(row)}\n`).join('');
}

const lengthOf = (text: string): number => [...text].length;
