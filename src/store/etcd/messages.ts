import type { Message, Table } from './wire.js';

// Only the fields that this client uses are declared. The field numbers are those of etcd's public API (`etcdserverpb`, `mvccpb`).

const header = { clusterId: [1, 'bigint'], revision: [3, 'number'] } as const satisfies Table;
/** The header of every response: the cluster, and the newest revision of etcd. */
export type AnswerHeader = Message<typeof header>;

const keyValue = {
  key: [1, 'bytes'],
  createRevision: [2, 'number'],
  modRevision: [3, 'number'],
  version: [4, 'number'],
  value: [5, 'bytes'],
  lease: [6, 'bigint'],
} as const satisfies Table;
/** A key with its newest value. */
export type KeyValue = Message<typeof keyValue>;

const rangeRequest = {
  key: [1, 'bytes'],
  rangeEnd: [2, 'bytes'],
  limit: [3, 'number'],
  revision: [4, 'number'],
  serializable: [7, 'bool'],
  keysOnly: [8, 'bool'],
  countOnly: [9, 'bool'],
} as const satisfies Table;
const rangeResponse = {
  header: [1, header],
  kvs: [2, keyValue, 'list'],
  more: [3, 'bool'],
  count: [4, 'number'],
} as const satisfies Table;

const putRequest = { key: [1, 'bytes'], value: [2, 'bytes'], lease: [3, 'bigint'] } as const satisfies Table;
const deleteRequest = { key: [1, 'bytes'], rangeEnd: [2, 'bytes'] } as const satisfies Table;

const compare = {
  result: [1, 'number'],
  target: [2, 'number'],
  key: [3, 'bytes'],
  version: [4, 'number'],
  createRevision: [5, 'number'],
  modRevision: [6, 'number'],
  rangeEnd: [64, 'bytes'],
} as const satisfies Table;
/** A condition of a transaction. With `rangeEnd` it must hold for every key of the range. */
export type Compare = Message<typeof compare>;
/** The comparison operators of a condition. */
export const RESULT = { equal: 0, greater: 1, less: 2 } as const;
/** The property of a key that a condition compares. */
export const TARGET = { version: 0, createRevision: 1, modRevision: 2 } as const;

/** One operation of a transaction: exactly one of the fields is set. */
const operation = {
  range: [1, rangeRequest],
  put: [2, putRequest],
  remove: [3, deleteRequest],
} as const satisfies Table;
const txnRequest = {
  compare: [1, compare, 'list'],
  success: [2, operation, 'list'],
  failure: [3, operation, 'list'],
} as const satisfies Table;
const txnResponse = {
  header: [1, header],
  succeeded: [2, 'bool'],
  responses: [3, { range: [1, rangeResponse] }, 'list'],
} as const satisfies Table;

const watchCreate = {
  key: [1, 'bytes'],
  rangeEnd: [2, 'bytes'],
  startRevision: [3, 'number'],
  progressNotify: [4, 'bool'],
  fragment: [8, 'bool'],
} as const satisfies Table;
/** A request on the stream of a watch: exactly one of the fields is set. */
export const watchRequest = { create: [1, watchCreate], progress: [3, {}] } as const satisfies Table;
const event = { type: [1, 'number'], kv: [2, keyValue] } as const satisfies Table;
/** An event of a watch: a change of one key. */
export type WatchEvent = Message<typeof event>;
/** The type of an event that removed its key. The events of puts have no type, because it is the default value 0. */
export const REMOVED = 1;
export const watchResponse = {
  header: [1, header],
  watchId: [2, 'number'],
  created: [3, 'bool'],
  canceled: [4, 'bool'],
  compactRevision: [5, 'number'],
  cancelReason: [6, 'text'],
  fragment: [7, 'bool'],
  events: [11, event, 'list'],
} as const satisfies Table;
export type WatchResponse = Message<typeof watchResponse>;

/** A unary call: one request and one response. */
export interface Method<Q extends Table, A extends Table> {
  readonly path: string;
  readonly request: Q;
  readonly answer: A;
  /** Whether the call is idempotent, so that it may be repeated when its outcome is unknown. */
  readonly repeatable: boolean;
}

const method = <Q extends Table, A extends Table>(
  path: string,
  request: Q,
  answer: A,
  repeatable: boolean,
): Method<Q, A> => ({ path: `/etcdserverpb.${path}`, request, answer, repeatable });

export const RANGE = method('KV/Range', rangeRequest, rangeResponse, true);
export const TXN = method('KV/Txn', txnRequest, txnResponse, false);
export const COMPACT = method('KV/Compact', { revision: [1, 'number'] }, { header: [1, header] }, true);
export const STATUS = method('Maintenance/Status', {}, { header: [1, header], version: [2, 'text'] }, true);
export const LEASE_GRANT = method(
  'Lease/LeaseGrant',
  { ttl: [1, 'number'], id: [2, 'bigint'] },
  { header: [1, header], id: [2, 'bigint'], ttl: [3, 'number'], error: [4, 'text'] },
  true,
);
export const AUTHENTICATE = method(
  'Auth/Authenticate',
  { name: [1, 'text'], password: [2, 'text'] },
  { header: [1, header], token: [2, 'text'] },
  true,
);
export const WATCH_PATH = '/etcdserverpb.Watch/Watch';
