import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault, FaultBuilder, FaultStatus, WatchEnd } from '../../../src/testing/index.js';
import { hasKubectl, type Printed, runKubectl } from '../../kubectl/kubectl.js';
import {
  countLists,
  type FaultyServer,
  MAPS,
  newName,
  openFaultyServer,
  readOneVersionBehind,
} from './faulty-server.js';
import { guideColumn } from './guide-column.js';

/* How kubectl reacts to each fault: a column of the table in docs/guides/faults.md. */

const guide = guideColumn('kubectl');
const on = { ...MAPS, userAgent: 'kubectl/*' };
const get = 'get configmap a -o name';
const found = { failed: false, stdout: 'configmap/a\n' };
const RESET = 'stream error: stream ID 1; INTERNAL_ERROR; received from peer';
const ANY_RESET = /stream error: stream ID \d+; INTERNAL_ERROR; received from peer/;
const TIMEOUT = /(?:Client\.Timeout|context deadline) exceeded/;
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

// kubectl may not be installed.
describe.skipIf(!hasKubectl)('kubectl', () => {
  const home = mkdtempSync(join(tmpdir(), 'faults-'));
  const kubeconfig = join(home, 'config');
  const run = (command: string, input?: string) => runKubectl({ kubeconfig, home }, command.split(' '), input);
  let opened: FaultyServer;

  /** Runs kubectl for another server than that of the other tests. */
  async function runAt({ listener }: FaultyServer, command: string): Promise<Printed> {
    const other = join(home, 'other');
    writeFileSync(other, await listener.kubeconfig());
    return await runKubectl({ kubeconfig: other, home }, command.split(' '));
  }

  beforeAll(async () => {
    opened = await openFaultyServer();
    // kubectl ignores an extension that it does not know.
    const extensions = { 'orch.io/test-kit': { url: 'http://127.0.0.1:1', secret: 'secret' } };
    writeFileSync(kubeconfig, await opened.listener.kubeconfig({ extensions }));
    await run(get); // kubectl caches discovery in its home folder.
  });
  afterEach(() => {
    opened.faults.verify();
    opened.faults.clear();
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  const waitFor = (value: string) => `wait configmap a --for=jsonpath={.data.value}=${value} --timeout=25s`;
  const isMet = 'configmap/a condition met\n';

  /** Injects a fault into the watch of `get --watch`. */
  async function watchMeets(set: (builder: FaultBuilder) => Fault): Promise<Printed> {
    set(opened.faults.on({ ...on, verb: 'watch' }));
    return await run('get configmaps --watch');
  }

  /** Runs `get --watch` until its watch is open, and ends the watch. */
  async function watchEnds(how: WatchEnd): Promise<Printed> {
    const watching = run('get configmaps --watch');
    await expect.poll(() => opened.faults.openWatches(on)).toHaveLength(1);
    opened.faults.on(on).endWatch(how);
    return await watching;
  }

  /** Injects a fault into the first list and the first watch of `wait`. Returns whether it sees a later write. */
  async function waitGoesOn(set: (builder: FaultBuilder) => Fault): Promise<boolean> {
    const value = newName();
    const met = ['list', 'watch'].map((verb) => set(opened.faults.on({ ...on, verb })));
    const waiting = run(waitFor(value));
    await Promise.race([Promise.all(met.map((fault) => fault.arrived({ timeout: 60_000 }))), waiting]);
    await opened.write(value);
    return (await waiting).stdout === isMet;
  }

  /** Ends the watch of `wait`. Returns whether it sees a later write. */
  async function waitGoesOnAfter(how: WatchEnd): Promise<boolean> {
    const value = newName();
    const waiting = run(waitFor(value));
    await opened.faults.on(on).endWatch(how).arrived({ timeout: 60_000 });
    await opened.write(value);
    return (await waiting).stdout === isMet;
  }

  /** Makes a read and a creation fail. Returns their output, and whether the object was created. */
  async function loses(
    set: (builder: FaultBuilder) => Fault,
  ): Promise<[read: string, create: string, isMade: boolean]> {
    set(opened.faults.on(on));
    const read = await run(get);
    const name = newName();
    set(opened.faults.on({ ...on, verb: 'create' }));
    const create = await run(`create configmap ${name}`);
    expect([read.failed, create.failed]).toEqual([true, true]);
    // A repeated creation would return 409.
    return [read.stderr, create.stderr, await opened.exists(name)];
  }

  const printed = async (status: FaultStatus) => {
    opened.faults.on(on).answer(status);
    const { failed, stderr } = await run(get);
    return failed ? stderr : 'it did not fail';
  };

  it(
    guide.title(
      '`answer(401)`, `answer(403)`, `answer(404)`',
      'prints the error: `Error from server (Forbidden): …`; `wait` tries again',
    ),
    async () => {
      expect(await printed(401)).toContain('error: You must be logged in to the server (Unauthorized)');
      expect(await printed(403)).toContain('Error from server (Forbidden): configmaps "a" is forbidden');
      expect(await printed(404)).toContain('Error from server (NotFound): configmaps "a" not found');
      expect((await watchMeets((builder) => builder.answer(403))).stderr).toContain('Error from server (Forbidden)');
      expect(await waitGoesOn((builder) => builder.answer(403))).toBe(true);
    },
  );

  it(
    guide.title('`conflict()`', '`apply` reads and patches again, up to five times; other commands print the error'),
    async () => {
      const conflict = opened.faults.on({ ...on, verb: 'patch' }, { times: 2 }).conflict();
      const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: applied}\n';
      expect((await run('apply -f -', manifest)).stdout).toBe('configmap/a configured\n');
      expect(conflict.fired).toBe(2);
      const always = opened.faults.on({ ...on, verb: 'patch' }, { times: 'always' }).conflict();
      const other = manifest.replace('applied', 'again');
      expect((await run('apply -f -', other)).stderr).toContain(MODIFIED);
      expect(always.fired).toBe(6);
      expect((await run('label configmap a colour=red')).stderr).toContain('Error from server (Conflict)');
      expect(always.fired).toBe(7);
      expect(await printed(409)).toContain(`Error from server (Conflict): Operation cannot be fulfilled`);
      opened.faults.on({ ...on, verb: 'create' }).conflict();
      expect((await run('create configmap taken')).stderr).toContain('already exists');
    },
  );

  it(guide.title('`answer(410)`', 'prints the error, for a watch only its code; `wait` lists again'), async () => {
    expect(await printed(410)).toContain('Error from server (Expired): ');
    expect((await watchMeets((builder) => builder.answer(410))).stderr).toContain('responded with the status code 410');
    expect(await waitGoesOn((builder) => builder.answer(410))).toBe(true);
  });

  it(
    guide.title(
      '`answer(429)`, `retryAfter` with any status',
      'waits for the time in `Retry-After` and sends the request again, if the status is 429 or 5xx',
    ),
    async () => {
      opened.faults.on(on).answer(429);
      opened.faults.on(on).answer(503, { retryAfter: 1 }); // The second attempt meets the fault.
      const began = performance.now();
      expect(await run(get)).toMatchObject(found);
      expect(performance.now() - began).toBeGreaterThan(2000);
      opened.faults.on(on).answer(403, { retryAfter: 1 });
      expect((await run(get)).failed).toBe(true);
    },
  );

  it(
    guide.title(
      '`answer(500)`, `answer(503)`, `answer(504)`',
      'prints the error: `Error from server (InternalError): …`; `wait` tries again',
    ),
    async () => {
      expect(await printed(500)).toContain('Error from server (InternalError): ');
      expect(await printed(503)).toContain('Error from server (ServiceUnavailable): the server is currently unable');
      expect(await printed(504)).toContain('Error from server (Timeout): Timeout: request did not complete');
      expect(await waitGoesOn((builder) => builder.answer(500))).toBe(true);
    },
  );

  it(guide.title('`delay`', 'waits as long as `--request-timeout` allows'), async () => {
    opened.faults.on(on).delay(100);
    expect(await run(get)).toMatchObject(found);
    expect(await waitGoesOn((builder) => builder.delay(100))).toBe(true);
    opened.faults.on(on).delay(20_000);
    expect((await run(`${get} --request-timeout=1s`)).stderr).toMatch(TIMEOUT);
  });

  it(guide.title('`hold()`', 'waits as long as `--request-timeout` allows'), async () => {
    const hold = opened.faults.on(on).hold();
    const hanging = run(get);
    await hold.arrived({ timeout: 60_000 });
    expect((await run(`${get} --request-timeout=1s`)).stderr).toMatch(TIMEOUT);
    hold.end();
    expect(await hanging).toMatchObject(found);
  });

  it(guide.title('`refuse()`', 'prints `stream error: … INTERNAL_ERROR`; `wait` tries again'), async () => {
    const [read, create, isMade] = await loses((builder) => builder.refuse());
    expect([read, create, isMade]).toEqual([expect.stringContaining(RESET), expect.stringMatching(ANY_RESET), false]);
    expect((await watchMeets((builder) => builder.refuse())).stderr).toMatch(ANY_RESET);
    expect(await waitGoesOn((builder) => builder.refuse())).toBe(true);
  });

  it(
    guide.title(
      '`loseAnswer()`',
      'prints the same as for `refuse()`, although the server executed the write, and does not repeat it',
    ),
    async () => {
      const [read, create, isMade] = await loses((builder) => builder.loseAnswer());
      expect([read, create, isMade]).toEqual([expect.stringContaining(RESET), expect.stringMatching(ANY_RESET), true]);
      expect(await waitGoesOn((builder) => builder.loseAnswer())).toBe(true);
    },
  );

  it(
    guide.title(
      '`cut`',
      'prints the same as for `refuse()`, although the server executed the write, and does not repeat it',
    ),
    async () => {
      const [read, create, isMade] = await loses((builder) => builder.cut(10));
      expect([read, create, isMade]).toEqual([expect.stringContaining(RESET), expect.stringMatching(ANY_RESET), true]);
      const { failed, stderr } = await watchMeets((builder) => builder.cut(0));
      expect([failed, stderr]).toEqual([true, expect.stringMatching(ANY_RESET)]);
      expect(await waitGoesOn((builder) => builder.cut(10))).toBe(true);
    },
  );

  it(guide.title("`endWatch('timeout')`", '`get --watch` ends without an error; `wait` watches again'), async () => {
    expect(await watchEnds('timeout')).toMatchObject({ failed: false, stderr: '' });
    expect(await waitGoesOnAfter('timeout')).toBe(true);
  });

  it(
    guide.title(
      "`endWatch('lost')`",
      '`get --watch` prints `unable to decode an event from the watch stream` and ends; `wait` watches again',
    ),
    async () => {
      const { failed, stdout, stderr } = await watchEnds('lost');
      expect([failed, `${stdout}${stderr}`]).toEqual([
        false,
        expect.stringContaining('unable to decode an event from the watch stream'),
      ]);
      expect(await waitGoesOnAfter('lost')).toBe(true);
    },
  );

  it(guide.title("`endWatch('expired')`", '`get --watch` prints the error and ends; `wait` lists again'), async () => {
    const { failed, stdout, stderr } = await watchEnds('expired');
    expect([failed, `${stdout}${stderr}`]).toEqual([
      false,
      expect.stringContaining('The resourceVersion for the provided watch is too old.'),
    ]);
    expect(await waitGoesOnAfter('expired')).toBe(true);
  });

  it(
    guide.title(
      '`dropBookmarks()`',
      '`get --watch` requests no bookmarks; a `wait` whose resourceVersion expires meanwhile lists again',
    ),
    async () => {
      const watchUntilEnd = async (other: FaultyServer) =>
        expect((await runAt(other, waitFor('end'))).stdout).toBe(isMet);
      expect(await countLists(watchUntilEnd, false)).toEqual({ lists: 1, bookmarks: 1 });
      expect(await countLists(watchUntilEnd, true)).toEqual({ lists: 2, bookmarks: 1 });
      opened.requests.clear();
      await watchEnds('timeout');
      const queries = opened.requests.filter({ ...on, verb: 'watch' }).map(({ query }) => query);
      expect(queries).toEqual([expect.not.stringContaining('allowWatchBookmarks')]);
    },
  );

  it(guide.title('`stale`', 'returns the old state; `wait` catches up through its watch'), async () => {
    const { metadata } = await opened.write('before');
    const { resourceVersion = '' } = metadata;
    await opened.write('after');
    const value = 'get configmap a -o jsonpath={.data.value}';
    opened.faults.on({ ...on, verb: 'get' }).stale({ resourceVersion });
    expect((await run(value)).stdout).toBe('before');
    expect((await readOneVersionBehind((behind) => runAt(behind, value))).stdout).toBe('before');
    opened.faults.on({ ...on, verb: 'list' }).stale({ resourceVersion });
    expect((await run(waitFor('after'))).stdout).toBe(isMet);
  });

  it(
    guide.title(
      "`partition('hang')`",
      'waits as long as `--request-timeout` allows; `wait` receives all events afterwards',
    ),
    async () => {
      const waiting = run(waitFor('unseen'));
      await expect.poll(() => opened.faults.openWatches(on)).toHaveLength(1);
      const partition = opened.faults.on(on).partition();
      expect((await run(`${get} --request-timeout=1s`)).stderr).toMatch(TIMEOUT);
      const hanging = run(get);
      await opened.write('unseen');
      const first = Promise.race([waiting, new Promise((resolve) => setTimeout(() => resolve('silence'), 300))]);
      expect(await first).toBe('silence');
      partition.end();
      expect(await hanging).toMatchObject(found);
      expect((await waiting).stdout).toBe(isMet);
    },
  );

  it(
    guide.title(
      "`partition('break')`",
      'prints `stream error: … INTERNAL_ERROR`; `get --watch` ends, `wait` tries again until the partition ends',
    ),
    async () => {
      const waiting = run(waitFor('unheard'));
      await expect.poll(() => opened.faults.openWatches(on)).toHaveLength(1);
      const partition = opened.faults.on(on).partition('break');
      expect((await run(get)).stderr).toMatch(ANY_RESET);
      expect((await run('get configmaps --watch')).stderr).toMatch(ANY_RESET);
      await opened.write('unheard');
      partition.end();
      expect((await waiting).stdout).toBe(isMet);
    },
  );

  it(
    guide.title(
      "`failStorage('unavailable')`",
      'prints the error: `Error from server: etcdserver: request timed out`; open watches continue',
    ),
    async () => {
      const waiting = run(waitFor('by-another'));
      await expect.poll(() => opened.faults.openWatches(on)).toHaveLength(1);
      opened.faults.on(on, { times: 'always' }).failStorage();
      expect((await run(get)).stderr).toBe('Error from server: etcdserver: request timed out\n');
      expect((await run('create configmap unmade')).stderr).toContain('etcdserver: request timed out');
      await opened.write('by-another');
      expect((await waiting).stdout).toBe(isMet);
    },
  );

  it(
    guide.title(
      "`failStorage('full')`",
      'writes that need room print the error `etcdserver: mvcc: database space exceeded`; reads, watches and deletions still work',
    ),
    async () => {
      const name = newName();
      await run(`create configmap ${name}`);
      const waiting = run(waitFor('by-yet-another'));
      await expect.poll(() => opened.faults.openWatches(on)).toHaveLength(1);
      opened.faults.on(on, { times: 'always' }).failStorage('full');
      expect((await run('create configmap unmade')).stderr).toContain('etcdserver: mvcc: database space exceeded');
      expect(await run(get)).toMatchObject(found);
      expect((await run(`delete configmap ${name}`)).failed).toBe(false);
      await opened.write('by-yet-another');
      expect((await waiting).stdout).toBe(isMet);
    },
  );

  it('has a test for each row of the guide', () => {
    expect(guide.untested()).toEqual([]);
  });
});
