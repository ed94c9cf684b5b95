import { ApiServer, configMap, secret } from 'orch-apiserver';
import {
  minimalRoles,
  nothingForbidden,
  type RequestLog,
  recordRequests,
  replay,
  waitFor,
} from 'orch-apiserver/testing';
import { matchers } from 'orch-apiserver/testing/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runOperator } from './operator.js';

expect.extend(matchers);

const where = { namespace: 'default' };
const wanted = { metadata: { name: 'a', labels: { secret: 'wanted' } } };
const robot = { username: 'system:serviceaccount:default:operator', groups: ['system:authenticated'] };

let server: ApiServer;
let requests: RequestLog;

beforeEach(async () => {
  server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  requests = recordRequests(server);
});
afterEach(() => server.close());

/** Lets the operator create one Secret as the given user. */
async function work(on: ApiServer, user: { username: string; groups: string[] }): Promise<void> {
  const stop = new AbortController();
  const running = runOperator(on.client({ user, userAgent: 'operator' }), stop.signal);
  await on.client().create(configMap, wanted, where);
  await Promise.race([running, waitFor(on.client(), secret, 'a', () => true, where)]);
  stop.abort();
  await running;
}

it('records who requested what', async () => {
  await work(server, { ...robot, groups: ['system:masters'] });
  expect(requests).toHaveReceived({ userAgent: 'operator', verb: 'create', resource: 'secrets' }, { times: 1 });
  expect(requests).not.toHaveReceived({ userAgent: 'operator', verb: 'delete' });
  expect(requests).toHaveNothingForbidden();
  expect(requests).toHaveNoHotLoop();
  expect(requests).toHaveNoWriteOnStaleRead();
  await expect(server.client()).toHaveObject(secret, 'a', where);

  const [create] = requests.filter({ userAgent: 'operator', verb: 'create' });
  expect(create).toMatchObject({ status: 201, before: undefined, after: { data: { made: 'eWVz' } } });
});

it('reports forbidden requests, and the roles that would allow them', async () => {
  // The operator has no role yet, so its first request is refused.
  await expect(work(server, robot)).rejects.toThrow('is forbidden');
  expect(() => nothingForbidden(requests)).toThrow('(operator) cannot watch configmaps: configmaps is forbidden');

  // The operator runs on a fork as an administrator, and then with the minimal roles that this run needed.
  await using fork = server.fork();
  await fork.client().delete(configMap, 'a', where);
  const recorded = recordRequests(fork);
  await work(fork, { ...robot, groups: ['system:masters', ...robot.groups] });
  const { yaml } = minimalRoles(recorded, robot.username, { name: 'operator' });
  expect(yaml).toContain('- secrets\n  verbs:\n  - create\n');

  await server.client().delete(configMap, 'a', where);
  await server.load(yaml);
  requests.clear();
  await work(server, robot);
  expect(requests).toHaveNothingForbidden();
});

it('replays the recorded requests on another server', async () => {
  await using fork = server.fork();
  await work(server, { ...robot, groups: ['system:masters'] });
  expect((await replay(requests, fork)).text).toBe('');
  await expect(fork.client()).toHaveObject(secret, 'a', where);

  // A second run fails, because the Secret already exists.
  const { text } = await replay(requests.filter({ verb: 'create', resource: 'secrets' }), fork);
  expect(text).toMatch(
    /^#\d+ create secrets default\/a by .*\n {2}status: 201 -> 409\n {2}reason: "" -> AlreadyExists$/,
  );
});
