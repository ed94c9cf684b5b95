import { parseBoolean, type Query } from '../meta/query.js';
import { readInt64 } from '../values/numbers.js';
import type { RequestFacts } from './matching.js';

/** The estimated cost of a request. */
export interface WorkEstimate {
  /** The number of seats while the request is served, at least 1. */
  readonly initialSeats: number;
  /** The number of seats that stay occupied after the request has been served, while its changes are sent to watches. */
  readonly finalSeats: number;
  /** How long the final seats stay occupied, in milliseconds. The response is not delayed by this time. */
  readonly additionalLatency: number;
}

/** The data that estimates are based on. */
export interface WorkFacts {
  /** Returns the number of stored objects of a resource; undefined if the resource is not served. */
  objectCount(group: string, resource: string): number | undefined;
  /** Returns the number of watches that a write notifies. */
  watchCount(info: RequestFacts): number;
}

const MOST_SEATS = 10;
const OBJECTS_PER_SEAT = 100;
const WATCHES_PER_SEAT = 10;
/** The milliseconds that one seat needs to send a change to `WATCHES_PER_SEAT` watches. */
const EVENT_DURATION = 5;
const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);
const LISTING: ReadonlySet<string> = new Set(['list', 'watch']);

/** Returns whether the cost of a request depends on the number of watches. */
export const notifiesWatches = ({ verb, resource, subresource, resourceRequest }: RequestFacts): boolean =>
  // Creating a service account token changes no object, so it notifies no watches.
  resourceRequest && WRITING.has(verb) && !(resource === 'serviceaccounts' && subresource === 'token');

const seatsAtOnce = (initialSeats: number): WorkEstimate => ({ initialSeats, finalSeats: 0, additionalLatency: 0 });
const ONE_SEAT = seatsAtOnce(1);

/**
 * Estimates the cost of a request. The cost of a list depends on the number of objects that it reads, and the cost of a write on the number
 * of watches that it notifies. Any other request costs one seat.
 * @param mostSeats the level's limit for one request, 0 for no limit
 */
export function estimateWork(info: RequestFacts, query: Query, mostSeats: number, facts: WorkFacts): WorkEstimate {
  if (!info.resourceRequest) return ONE_SEAT;
  const most = mostSeats === 0 ? MOST_SEATS : Math.min(mostSeats, MOST_SEATS);
  if (LISTING.has(info.verb)) return estimateList(info, query, most, facts);
  if (notifiesWatches(info)) return estimateWrite(facts.watchCount(info), most);
  return ONE_SEAT;
}

function estimateList(info: RequestFacts, query: Query, most: number, facts: WorkFacts): WorkEstimate {
  if (info.name !== '') return ONE_SEAT; // A list or watch that names an object costs as much as a get.
  const limit = numberOf(query.first('limit'));
  // The request will be refused because of an invalid parameter. Until then it counts as expensive, so that an invalid parameter brings no
  // advantage.
  if (limit === undefined || numberOf(query.first('timeoutSeconds')) === undefined) return seatsAtOnce(most);
  const watches = info.verb === 'watch';
  if (watches && parseBoolean(query.first('sendInitialEvents')) !== true) return ONE_SEAT;
  const stored = facts.objectCount(info.group, info.resource);
  if (stored === undefined) return ONE_SEAT;
  const shown = limit > 0 ? Math.min(limit, stored) : stored;
  const read = watches || isFromCache(query, limit) ? stored : selects(query) ? stored + shown : 2 * shown;
  return seatsAtOnce(Math.max(1, Math.min(most, Math.ceil(read / OBJECTS_PER_SEAT))));
}

/**
 * Returns whether a list is served from memory, where every stored object is examined. Pages and lists at an exact resourceVersion are read
 * from the storage.
 */
function isFromCache(query: Query, limit: number): boolean {
  const match = query.first('resourceVersionMatch') ?? '';
  if ((query.first('continue') ?? '') !== '') return false;
  if (limit > 0 && query.first('resourceVersion') !== '0') return false;
  return match === '' || match === 'NotOlderThan';
}

const selects = (query: Query): boolean =>
  (query.first('labelSelector') ?? '') !== '' || (query.first('fieldSelector') ?? '') !== '';

function estimateWrite(watches: number, most: number): WorkEstimate {
  if (watches < WATCHES_PER_SEAT) return ONE_SEAT;
  const neededSeats = Math.ceil(watches / WATCHES_PER_SEAT);
  // A request with many seats blocks other requests until that many seats are free. Seats above the maximum are therefore converted into a
  // longer time.
  const finalSeats = Math.min(neededSeats, most);
  return { initialSeats: 1, finalSeats, additionalLatency: (neededSeats * EVENT_DURATION) / finalSeats };
}

/** Returns a query parameter as a number; 0 if it is absent, undefined if it is not a number. */
function numberOf(text = ''): number | undefined {
  if (text === '') return 0;
  const number = readInt64(text);
  return typeof number === 'bigint' ? Number(number) : undefined;
}
