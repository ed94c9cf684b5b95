import { anonymousUser, unauthenticatedGroup } from '../../authentication/authenticated-group.js';
import { randomBelow } from '../../meta/random.js';
import type { Exchange } from '../exchange.js';

/** The resolution of the random choice. */
const PARTS = 1_000_000;

/**
 * Ends an HTTP/2 connection after this answer at random, so that its client reconnects, perhaps to another server (spec 1.14). Other
 * requests on the connection are still answered.
 */
export function closeConnectionSoon({ environment, request, headers }: Exchange): undefined {
  const { goawayChance, host } = environment;
  if (goawayChance > 0 && request.http2 && randomBelow(host.random, PARTS) < goawayChance * PARTS)
    headers['Connection'] = 'close';
  return undefined;
}

/** Closes HTTP/2 connections of unauthenticated callers, who could otherwise send many requests at once (spec 1.14). */
export function keepsNoConnection({ environment, request, headers, user }: Exchange, isKnown: boolean): void {
  const { UnauthenticatedHTTP2DOSMitigation: isOn } = environment.host.gates;
  const isAnonymous = user.username === anonymousUser || user.groups?.includes(unauthenticatedGroup) === true;
  if (isOn && request.http2 && (!isKnown || isAnonymous)) headers['Connection'] = 'close';
}
