import { apiError } from '../../meta/api-error.js';
import { createSelection, parseSelectors, type Selectors } from '../../registry/reads/selection.js';
import type { WatchParameters } from '../../registry/resource-store.js';
import { readListOptions } from '../bodies/options.js';
import type { OpenWatch } from '../environment.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { readContext } from './write-context.js';

const SECOND = 1000;

/** Handles the GET of a collection with `watch`, or of the old /watch/ path (spec 4.10). */
export async function handleWatch(exchange: Exchange, { store, namespace, name }: Route): Promise<Result> {
  const { query, environment } = exchange;
  const options = readListOptions(query, environment.host);
  const selection = createSelection(store.resource, withName(options.selectors, name));
  if (name !== '' && selection.name !== name)
    throw apiError.badRequest("fieldSelector metadata.name doesn't match requested name");
  const { verbs, groupResource } = store.resource;
  if (!verbs.has('watch')) throw apiError.verbNotSupported(groupResource, 'watch');
  const opened = await store.watch(readContext(exchange), {
    namespace,
    selection,
    resourceVersion: options.resourceVersion,
    bookmarks: options.allowWatchBookmarks,
    sendInitialEvents: options.sendInitialEvents,
    initialEventsByDefault: environment.host.gates.WatchList,
    ...timeoutOf(options.timeoutSeconds, exchange),
  });
  const watch = exchange.interference?.watch?.(opened) ?? opened;
  const open = openWatchOf(exchange, watch);
  environment.openWatches.add(open);
  watch.whenEnded(() => environment.openWatches.delete(open));
  const { longRunningSlot } = exchange;
  exchange.longRunningSlot = undefined;
  if (longRunningSlot) watch.whenEnded(() => longRunningSlot.release());
  const { flowControl } = environment;
  if (flowControl) watch.whenEnded(flowControl.countWatch(exchange.info, query));
  return { type: 'watch', resource: store.resource, watch: exchange.observer?.watching(watch) ?? watch };
}

/**
 * Returns the entry for a watch in `environment.openWatches`. The entry contains copies of the path, user name and user agent, because a
 * reference to the request would keep the whole request in memory until the watch ends.
 */
const openWatchOf = ({ request, user }: Exchange, watch: OpenWatch['watch']): OpenWatch => ({
  watch,
  path: request.path,
  user: user.username,
  userAgent: request.headers.get('user-agent') ?? '',
});

/**
 * Converts the object name in an old `/watch/…` path into a field selector. An explicit field selector is kept, so that the caller of this
 * function can detect one that contradicts the name.
 */
function withName(selectors: Selectors, name: string): Selectors {
  if (name === '' || selectors.fields !== undefined) return selectors;
  const { fields } = parseSelectors('', `metadata.name=${name.replaceAll(/[\\,=]/g, '\\$&')}`);
  return { ...selectors, fields };
}

function timeoutOf(
  seconds: number | undefined,
  { environment }: Exchange,
): Pick<WatchParameters, 'timeout' | 'hasOwnTimeout'> {
  if (seconds !== undefined && seconds !== 0) return { timeout: Math.max(seconds, 0) * SECOND, hasOwnTimeout: true };
  // A watch without a timeout ends after 30 to 60 minutes, at random so that clients do not all reconnect at once (spec 4.15).
  const [byte = 0] = environment.host.random.fill(new Uint8Array(1));
  return { timeout: environment.minRequestTimeout * (1 + byte / 256), hasOwnTimeout: false };
}
