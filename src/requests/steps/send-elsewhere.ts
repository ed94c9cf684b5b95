import { anonymousUser, unauthenticatedGroup } from '../../authentication/authenticated-group.js';
import { randomBelow } from '../../meta/random.js';
import type { Exchange } from '../exchange.js';

/** Chances are counted in parts of this. */
const PARTS = 1_000_000;

/**
 * Ends a connection of HTTP/2 after this answer, now and then, so that its client connects again and perhaps to another server
 * (spec 1.14). What else is open on it is answered.
 */
export function sendElsewhere({ environment, request, headers }: Exchange): undefined {
  const { goawayChance, host } = environment;
  if (goawayChance > 0 && request.http2 && randomBelow(host.random, PARTS) < goawayChance * PARTS)
    headers['Connection'] = 'close';
  return undefined;
}

/** Unknown callers do not keep connections of HTTP/2, which would let them ask for much at once (spec 1.14). */
export function keepsNoConnection({ environment, request, headers, user }: Exchange, isKnown: boolean): void {
  const { UnauthenticatedHTTP2DOSMitigation: isOn } = environment.host.gates;
  const isAnonymous = user.username === anonymousUser || user.groups?.includes(unauthenticatedGroup) === true;
  if (isOn && request.http2 && (!isKnown || isAnonymous)) headers['Connection'] = 'close';
}
