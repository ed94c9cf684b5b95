import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles, sourceRoot } from '../support/source-files.js';

/**
 * Every use of a timer, by what waits for it. A timer keeps the process alive if a request, a start or a shutdown waits for it, because a
 * script without a port has nothing else that does; background work does not. A number counts the uses in one file.
 */
const AWAITED: Readonly<Record<string, number>> = {
  'audit/batch-queue.ts': 1, // the end: what was not written yet
  'authentication/jwt/authentication-configuration.ts': 1, // a configuration that is put in the place of another
  'authentication/jwt/issuer-keys.ts': 1, // a token whose key is fetched
  'client/informer/informer.ts': 1, // another request of an informer, which a program may have nothing else to do than to wait for
  'client/remote/remote-connection.ts': 1, // another try of a request
  'client/remote/remote-watch.ts': 1, // another connection of a watch
  'controllers/leader-election/leader-elector.ts': 1, // the end: a lease that is given back
  'custom-resources/conversion/webhook-converter.ts': 1, // a conversion behind others
  'flow-control/flow-control.ts': 1, // a request in a queue
  'outbound/bounded-request.ts': 1, // the limit of a request to another server
  'outbound/review-webhook.ts': 1, // another try of a review
  'plugins/service-accounts/service-account-admission.ts': 1, // the account of a pod in a new namespace
  'registry/reads/resource-watch.ts': 1, // a reader of a watch with a timeout of its own
  'requests/steps/deadline.ts': 1, // the limit of a request
  'server/parts.ts': 2, // the end: its delay, and requests in flight
  'server/settle.ts': 2, // the limit of a wait of a test, and its next look at clients
  'store/etcd/client.ts': 1, // a call for which there is no connection
  'store/etcd/connection.ts': 1, // the limit of a call
  'store/etcd/progress.ts': 1, // what others wrote
  'store/etcd/read-state.ts': 1, // a start
  'store/revision-waiters.ts': 1, // a read of a version that is still to come
  'testing/faults/faults.ts': 1, // a delayed request
  'testing/faults/lagging-storage.ts': 1, // a read of a version that a server which is behind does not know
  'testing/faults/rule.ts': 1, // a test that waits for a fault
  'testing/wait-for.ts': 1, // a test
};
const BACKGROUND: Readonly<Record<string, number>> = {
  'audit/batch-queue.ts': 1, // a batch that fills up
  'cli/configuration/follow-file.ts': 2, // the next look at a file
  'client/informer/informer.ts': 1, // a connection that is dead, which holds the process itself
  'client/remote/remote-resources.ts': 1, // the next look at what is served
  'client/work-queue.ts': 1, // a key that comes again
  'controllers/leader-election/leader-elector.ts': 2, // the next attempt, and the end of a term
  'flow-control/flow-control.ts': 1, // limits that adjust
  'flow-control/queue-set.ts': 1, // a seat that becomes free; requests that wait for it hold the process themselves
  'meta/shared-timeouts.ts': 1, // bodies that are read; the connections they come by hold the process
  'registry/reads/resource-watch.ts': 2, // the end and the bookmarks of a watch, read or not
  'requests/measures/request-meter.ts': 1, // a request that goes on behind its answer
  'server/expiry.ts': 1, // objects that expire
  'store/etcd/client.ts': 1, // the pause before another connection; a call that waits for it holds the process itself
  'store/etcd/compactor.ts': 1, // the next compaction
  'store/etcd/connection.ts': 3, // a connection that is made, pings
  'store/etcd/etcd-backend.ts': 1, // another try to read everything anew
  'store/etcd/progress.ts': 1, // another question how far etcd is
  'store/etcd/watcher.ts': 1, // another stream
  'store/level/level-backend.ts': 2, // the next try to open a folder that could not be written, the limit of a commit, which holds the process itself
  'store/memory-state.ts': 1, // history that is trimmed
  'testing/advance.ts': 1, // ticks that count how often the process gets to run; the limit of the wait holds the process itself
  'testing/order/controller-order.ts': 1, // a delayed key
  'testing/order/order.ts': 1, // delayed events
};
/** Connections and listeners keep the process alive themselves, so their timers are those of the runtime. */
const RUNTIME: Readonly<Record<string, number>> = {
  'cli/main.ts': 1,
  'http/end-connection.ts': 1,
  'http/http1-connection.ts': 3,
  'http/bodies/discard-rest.ts': 1,
  'http/incomplete-heads.ts': 1,
  'http/listener.ts': 2,
  'http/node-server.ts': 2,
  'http/open-answers.ts': 1,
  'http/open-connections.ts': 1,
  'http/web-socket/open-channel.ts': 1,
  'meta/flow.ts': 1, // the end of a turn, where the runtime has no setImmediate
  'outbound/connect-limits.ts': 1,
  'testing/storage-contract/watching.ts': 1,
};

/** The places that read the clock of the machine, which docs/guides/determinism.md explains. All others use the clock of the server. */
const MACHINE: Readonly<Record<string, number>> = {
  'cli/configuration/follow-file.ts': 3,
  'cli/kept-keys.ts': 1, // clients check the certificate authority by the clocks of their machines
  'cli/run.ts': 2, // times of the log
  'http/bodies/stream-pump.ts': 2,
  'http/heap-pressure.ts': 3,
  'http/http1-connection.ts': 3,
  'http/incomplete-heads.ts': 3,
  'http/open-answers.ts': 6,
  'meta/flow.ts': 1, // the length of a turn of the event loop
  'outbound/verified-connections.ts': 1, // certificates of servers that are called
  'pki/certificate-authority.ts': 2, // the default of a caller that has no clock, as a listener
  'server/settle.ts': 1, // the time for which clients must be at rest
  'testing/advance.ts': 1, // how often the process gets to run
};

function uses(pattern: RegExp): Record<string, number> {
  const found: Record<string, number> = {};
  for (const file of sourceFiles) {
    if (file === 'meta/clock.ts') continue;
    const count = readFileSync(join(sourceRoot, file), 'utf8').match(pattern)?.length ?? 0;
    if (count > 0) found[file] = count;
  }
  return found;
}

describe('timers', () => {
  it('keep the process alive if a caller waits for them', () => {
    expect(uses(/(?<![\w.#])(?:awaitedTimer|sleep)\(/g)).toEqual(AWAITED);
  });
  it('do not keep the process alive if they belong to background work', () =>
    expect(uses(/\.setTimer\(/g)).toEqual(BACKGROUND));
  it("use the runtime's functions only for connections", () => {
    expect(uses(/(?<![\w.])(?:setTimeout|setInterval)\(/g)).toEqual(RUNTIME);
  });
  it("and times use the machine's clock only where another machine is involved", () => {
    expect(uses(/systemClock\.|Date\.now\(|performance\.(?:now|timeOrigin)|new Date\(\)/g)).toEqual(MACHINE);
  });
});
