import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, type Informer, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import { ApiServer, configMap } from '../../src/index.js';
import { type Fault, type FaultBuilder, type Faults, injectFaults } from '../../src/testing/index.js';
import { hasKubectl, runKubectl } from '../kubectl/kubectl.js';

/* What three clients do about each fault: the table of docs/guides/faults.md. */

const where = { namespace: 'default' };
const MAPS = { resource: 'configmaps', namespace: 'default' };
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

let server: ApiServer;
let listener: Listener;
let faults: Faults;

beforeAll(async () => {
  server = new ApiServer({ dialect: 'k8s', controllers: [] });
  await server.start();
  listener = await listen(server);
  faults = injectFaults(server);
  await faults.observer().create(configMap, { metadata: { name: 'a' } }, where);
});
afterEach(() => {
  faults.verify();
  faults.clear();
});
afterAll(async () => {
  await listener.close();
  await server.close();
});

let names = 0;
const newName = () => `made-${++names}`;
const exists = async (name: string) =>
  (await faults.observer().list(configMap, where)).items.some(({ metadata }) => metadata.name === name);
const write = async (value: string) =>
  await faults.observer().update(configMap, 'a', (draft) => void (draft.data = { value }), where);

describe('server.client()', () => {
  const client = () => server.client();
  const get = () => client().get(configMap, 'a', where);

  it('throws what it is answered, and repeats nothing', async () => {
    for (const code of [401, 403, 404, 409, 410, 429, 500, 503, 504] as const) {
      faults.on({ ...MAPS, verb: 'get' }).answer(code);
      await expect(get()).rejects.toMatchObject({ code });
    }
    faults.on(MAPS).failStorage();
    await expect(get()).rejects.toThrow('etcdserver: request timed out');
  });

  it('begins an update anew after a conflict', async () => {
    const conflict = faults.on({ ...MAPS, verb: 'update' }, { times: 2 }).conflict();
    await client().update(configMap, 'a', (draft) => void (draft.data = { value: 'updated' }), where);
    expect(conflict.fired).toBe(2);
  });

  it('throws when the connection is lost; a write may be done', async () => {
    const lost = async (set: (builder: FaultBuilder) => Fault) => {
      const name = newName();
      set(faults.on({ ...MAPS, verb: 'create' }));
      await expect(client().create(configMap, { metadata: { name } }, where)).rejects.toThrow(
        'the connection was lost',
      );
      return await exists(name);
    };
    expect(await lost((on) => on.refuse())).toBe(false);
    expect(await lost((on) => on.loseAnswer())).toBe(true);
    expect(await lost((on) => on.cut(10))).toBe(true);
  });
});

describe('an informer of @kubernetes/client-node', () => {
  let core: CoreV1Api;
  let informer: Informer<V1ConfigMap>;
  const errors: string[] = [];
  const seen = new Set<string>();
  const watches = () => faults.openWatches({ user: 'admin', ...MAPS });
  const isWatching = async () => await expect.poll(watches).toHaveLength(1);

  beforeAll(async () => {
    const config = new KubeConfig();
    config.loadFromString(await listener.kubeconfig());
    core = config.makeApiClient(CoreV1Api);
    const path = '/api/v1/namespaces/default/configmaps';
    informer = makeInformer(config, path, () => core.listNamespacedConfigMap(where));
    informer.on('error', (error: unknown) => errors.push(String(error)));
    for (const event of ['add', 'update'] as const) informer.on(event, ({ data }) => seen.add(data?.['value'] ?? ''));
    await informer.start();
  });
  afterEach(() => void (errors.length = 0));
  afterAll(async () => await informer.stop());

  it('goes on after a timeout, and lists again after 410, by itself', async () => {
    await isWatching();
    for (const how of ['timeout', 'expired'] as const) {
      faults.on({ ...MAPS, user: 'admin' }).endWatch(how);
      await write(how);
      await expect.poll(() => seen).toContain(how);
    }
    expect(errors).toEqual([]);
    await isWatching();
    // A watch that is refused with 410 is one that has expired.
    faults.on({ ...MAPS, verb: 'watch' }).answer(410);
    faults.on({ ...MAPS, user: 'admin' }).endWatch('timeout');
    await write('refused');
    await expect.poll(() => seen).toContain('refused');
    expect(errors).toEqual([]);
  });

  it('stops after a lost connection and after any other error, until it is started again', async () => {
    const stops = async (message: string) => {
      await expect.poll(() => errors.join()).toContain(message);
      errors.length = 0;
      expect(watches()).toEqual([]);
      await informer.start();
      await isWatching();
    };
    await isWatching();
    faults.on({ ...MAPS, user: 'admin' }).endWatch('lost');
    await stops('Premature close');
    for (const [status, text] of [
      [403, 'Forbidden'],
      [429, 'Too Many Requests'],
      [500, 'Internal Server Error'],
      [503, 'Service Unavailable'],
    ] as const) {
      faults.on({ ...MAPS, verb: 'watch' }).answer(status);
      faults.on({ ...MAPS, user: 'admin', verb: 'watch' }).endWatch('timeout');
      await stops(text);
      faults.on({ ...MAPS, verb: 'list' }).answer(status);
      faults.on({ ...MAPS, user: 'admin' }).endWatch('expired');
      await stops(`HTTP-Code: ${status}`);
    }
  });

  it('is silent while it is cut off, and sees everything afterwards', async () => {
    const partition = faults.on({ user: 'admin' }).partition();
    await write('unseen');
    await partition.arrived();
    await server.client().list(configMap);
    expect(seen).not.toContain('unseen');
    partition.end();
    await expect.poll(() => seen).toContain('unseen');
  });

  it('has calls that fail, and repeats none', async () => {
    const call = async (set: (builder: FaultBuilder) => Fault) => {
      set(faults.on({ ...MAPS, verb: 'get' }));
      return await core.readNamespacedConfigMap({ ...where, name: 'a' }).then(
        () => 'an answer',
        (error: unknown) => String(error),
      );
    };
    expect(await call((on) => on.answer(429))).toContain('HTTP-Code: 429');
    expect(await call((on) => on.failStorage())).toContain('etcdserver: request timed out');
    expect(await call((on) => on.refuse())).toContain('socket hang up');
    expect(await call((on) => on.loseAnswer())).toContain('socket hang up');
    expect(await call((on) => on.cut(10))).toContain('Premature close');
    expect(await call((on) => on.delay(10))).toBe('an answer');
  });

  it('shows the past of a server that is behind', async () => {
    const { metadata } = await write('before');
    await write('after');
    faults.on({ ...MAPS, verb: 'get' }).stale({ resourceVersion: metadata.resourceVersion ?? '' });
    const { data } = await core.readNamespacedConfigMap({ ...where, name: 'a' });
    expect(data).toEqual({ value: 'before' });
  });
});

// kubectl is a program that may not be there.
describe.skipIf(!hasKubectl)('kubectl', () => {
  const home = mkdtempSync(join(tmpdir(), 'faults-'));
  const kubeconfig = join(home, 'config');
  const run = (command: string, input?: string) => runKubectl({ kubeconfig, home }, command.split(' '), input);
  const on = { ...MAPS, userAgent: 'kubectl/*' };
  const get = 'get configmap a -o name';
  const found = { failed: false, stdout: 'configmap/a\n' };
  const reset = 'stream error: stream ID 1; INTERNAL_ERROR; received from peer';

  beforeAll(async () => {
    // An extension that kubectl does not know does not keep it from reading the rest.
    const extensions = { 'orch.io/test-kit': { url: 'http://127.0.0.1:1', secret: 'secret' } };
    writeFileSync(kubeconfig, await listener.kubeconfig({ extensions }));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('prints the error of an answer', async () => {
    for (const [status, printed] of [
      [401, 'error: You must be logged in to the server (Unauthorized)'],
      [403, 'Error from server (Forbidden): configmaps "a" is forbidden'],
      [404, 'Error from server (NotFound): configmaps "a" not found'],
      [409, `Error from server (Conflict): Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`],
      [410, 'Error from server (Expired): '],
      [500, 'Error from server (InternalError): '],
      [503, 'Error from server (ServiceUnavailable): the server is currently unable to handle the request'],
      [504, 'Error from server (Timeout): Timeout: request did not complete within the allotted timeout'],
    ] as const) {
      faults.on(on).answer(status);
      const { failed, stderr } = await run(get);
      expect([failed, stderr]).toEqual([true, expect.stringContaining(printed)]);
    }
    faults.on(on).failStorage();
    expect((await run(get)).stderr).toBe('Error from server: etcdserver: request timed out\n');
  });

  it('repeats what it is asked to repeat later', async () => {
    faults.on(on).answer(429);
    faults.on(on).answer(503, { retryAfter: 1 }); // met by the second attempt
    expect(await run(get)).toMatchObject(found);
  });

  it('applies again after conflicts', async () => {
    const conflict = faults.on({ ...on, verb: 'patch' }, { times: 2 }).conflict();
    const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: applied}\n';
    expect((await run('apply -f -', manifest)).stdout).toBe('configmap/a configured\n');
    expect(conflict.fired).toBe(2);
  });

  it('fails when the connection is lost; a write may be done', async () => {
    const lost = async (set: (builder: FaultBuilder) => Fault) => {
      set(faults.on(on));
      expect(await run(get)).toMatchObject({ failed: true, stderr: expect.stringContaining(reset) });
      const name = newName();
      set(faults.on({ ...on, verb: 'create' }));
      expect(await run(`create configmap ${name}`)).toMatchObject({ failed: true });
      return await exists(name);
    };
    expect(await lost((builder) => builder.refuse())).toBe(false);
    expect(await lost((builder) => builder.loseAnswer())).toBe(true);
    expect(await lost((builder) => builder.cut(10))).toBe(true);
  });

  it('ends `get --watch` with its watch; `wait` watches again', async () => {
    for (const [how, printed] of [
      ['timeout', ''],
      ['lost', 'unable to decode an event from the watch stream'],
      ['expired', 'The resourceVersion for the provided watch is too old.'],
    ] as const) {
      const watching = run('get configmaps --watch');
      await expect.poll(() => faults.openWatches(on)).toHaveLength(1);
      faults.on(on).endWatch(how);
      const { failed, stdout, stderr } = await watching;
      expect([failed, `${stdout}${stderr}`]).toEqual([false, expect.stringContaining(printed)]);

      const waiting = run(`wait configmap a --for=jsonpath={.data.value}=${how} --timeout=25s`);
      await faults.on(on).endWatch(how).arrived();
      await write(how);
      expect((await waiting).stdout).toBe('configmap/a condition met\n');
    }
  });

  it('waits while it is held or cut off, as long as --request-timeout allows', async () => {
    const partition = faults.on(on).partition();
    const hanging = run(get);
    await partition.arrived();
    const { stderr } = await run(`${get} --request-timeout=1s`);
    expect(stderr).toMatch(/(?:Client\.Timeout|context deadline) exceeded/);
    partition.end();
    expect(await hanging).toMatchObject(found);
    faults.on(on).delay(100);
    expect(await run(get)).toMatchObject(found);
  });

  it('shows the past of a server that is behind', async () => {
    const { metadata } = await write('before');
    await write('after');
    faults.on(on).stale({ resourceVersion: metadata.resourceVersion ?? '' });
    expect((await run('get configmap a -o jsonpath={.data.value}')).stdout).toBe('before');
  });
});
