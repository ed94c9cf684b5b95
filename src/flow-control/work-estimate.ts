import { parseBoolean, type Query } from '../meta/query.js';
import { readInt64 } from '../values/numbers/integer.js';
import type { RequestFacts } from './matching.js';

/** How much of the server a request is thought to take. */
export interface WorkEstimate {
  /** Seats while it is served, from 1. */
  readonly initialSeats: number;
  /** Seats after that, while its changes reach those that watch. */
  readonly finalSeats: number;
  /** How long the final seats are taken, in milliseconds. The caller does not wait for that. */
  readonly additionalLatency: number;
}

/** What estimates are made from. */
export interface WorkFacts {
  /** Stored objects of a resource; undefined where it is not served. */
  objectCount(group: string, resource: string): number | undefined;
  /** Watches that a write concerns. */
  watchCount(info: RequestFacts): number;
}

const MOST_SEATS = 10;
const OBJECTS_PER_SEAT = 100;
const WATCHES_PER_SEAT = 10;
/** Milliseconds in which a seat brings a change to as many watches as it is made for. */
const EVENT_DURATION = 5;
const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);
const LISTING: ReadonlySet<string> = new Set(['list', 'watch']);

/** Whether the work of a request depends on who watches. */
export const notifiesWatches = ({ verb, resource, subresource, resourceRequest }: RequestFacts): boolean =>
  // A token of an account changes nothing that anybody watches.
  resourceRequest && WRITING.has(verb) && !(resource === 'serviceaccounts' && subresource === 'token');

const reading = (initialSeats: number): WorkEstimate => ({ initialSeats, finalSeats: 0, additionalLatency: 0 });
const ONE_SEAT = reading(1);

/**
 * Estimates the work of a request: lists by the objects that are read for them, writes by the watches that they concern, others one
 * seat. @param mostSeats what the level allows one request, 0 for no such limit
 */
export function estimateWork(info: RequestFacts, query: Query, mostSeats: number, facts: WorkFacts): WorkEstimate {
  if (!info.resourceRequest) return ONE_SEAT;
  const most = mostSeats === 0 ? MOST_SEATS : Math.min(mostSeats, MOST_SEATS);
  if (LISTING.has(info.verb)) return estimateList(info, query, most, facts);
  if (notifiesWatches(info)) return estimateWrite(facts.watchCount(info), most);
  return ONE_SEAT;
}

function estimateList(info: RequestFacts, query: Query, most: number, facts: WorkFacts): WorkEstimate {
  if (info.name !== '') return ONE_SEAT; // as good as a get
  const limit = numberOf(query.first('limit'));
  // Refused later: a wrong request must not gain by it.
  if (limit === undefined || numberOf(query.first('timeoutSeconds')) === undefined) return reading(most);
  const watches = info.verb === 'watch';
  if (watches && parseBoolean(query.first('sendInitialEvents')) !== true) return ONE_SEAT;
  const stored = facts.objectCount(info.group, info.resource);
  if (stored === undefined) return ONE_SEAT;
  const shown = limit > 0 ? Math.min(limit, stored) : stored;
  const read = watches || isFromCache(query, limit) ? stored : selects(query) ? stored + shown : 2 * shown;
  return reading(Math.max(1, Math.min(most, Math.ceil(read / OBJECTS_PER_SEAT))));
}

/** A page or an exact version is read from the storage; all else comes from memory, where every object is looked at. */
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
  const wanted = Math.ceil(watches / WATCHES_PER_SEAT);
  // Wide requests hold up narrow ones until there is room: what is too wide becomes longer instead.
  const finalSeats = Math.min(wanted, most);
  return { initialSeats: 1, finalSeats, additionalLatency: (wanted * EVENT_DURATION) / finalSeats };
}

/** 0 where the parameter is absent; undefined for what is not a number. */
function numberOf(text = ''): number | undefined {
  if (text === '') return 0;
  const number = readInt64(text);
  return typeof number === 'bigint' ? Number(number) : undefined;
}
