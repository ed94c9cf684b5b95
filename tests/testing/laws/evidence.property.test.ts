import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import { functionSink } from '../../../src/audit/audit-sink.js';
import type { ApiServer } from '../../../src/index.js';
import { minimalRoles, type RoleManifest } from '../../../src/testing/evidence/minimal-roles.js';
import { replay } from '../../../src/testing/evidence/replay.js';
import { type RequestLog, recordRequests } from '../../../src/testing/evidence/request-log.js';
import { createFakeRandom } from '../../../src/testing/fake-random.js';
import { noHotLoop, noWriteOnStaleRead } from '../../../src/testing/index.js';
import { insecureDeterministic } from '../../../src/testing/insecure-deterministic.js';
import { longProperty, propertyRuns } from '../../support/property-runs.js';
import { startServer } from '../../support/servers.js';
import { performAll, step } from './workload.js';

const robot = { username: 'robot', groups: ['system:authenticated'] };
const powerful = { ...robot, groups: ['system:masters', ...robot.groups] };
const steps = fc.array(
  step.filter(({ action }) => !['second', 'minutes', 'hour'].includes(action)),
  { minLength: 15, maxLength: 35, size: 'max' },
);
const seeds = fc.integer({ min: 1, max: 1000 });

/** A server with the namespaces of the workload, and a fork of it from before the workload. */
async function start(seed: number, options: Parameters<typeof startServer>[0] = {}) {
  const server = await startServer({ dialect: 'k8s', ...insecureDeterministic({ seed }), ...options });
  await server.load(['one', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
  await server.settle();
  return { server, before: server.fork() as ApiServer };
}

/** Returns the messages of the requests that are forbidden if the log is replayed by a user with these roles only. */
async function forbidden(before: ApiServer, log: RequestLog, roles: readonly RoleManifest[]): Promise<string[]> {
  await using fork = before.fork() as ApiServer;
  await fork.load(roles as unknown as Parameters<ApiServer['load']>[0]);
  using replayed = recordRequests(fork);
  await replay(log, fork, { match: { user: robot.username }, user: robot });
  return replayed.filter({ status: 403 }).flatMap(({ authorization, checks, message }) => {
    const isDenied = [authorization, ...checks].some((each) => each && each.decision !== 'Allow');
    return isDenied ? [message] : [];
  });
}

/** Returns copies of the roles that each lack one verb, resource, name or path of one rule. */
function* weakened(roles: readonly RoleManifest[]): Generator<readonly RoleManifest[]> {
  for (const [at, role] of roles.entries())
    for (const [place, rule] of (role.rules ?? []).entries())
      for (const member of ['verbs', 'resources', 'resourceNames', 'nonResourceURLs'] as const)
        for (const value of rule[member] ?? []) {
          const rest = rule[member]?.filter((each) => each !== value) ?? [];
          // A rule without names would allow all names, so a rule that loses its last value is removed.
          const replaced = rest.length > 0 ? [{ ...rule, [member]: rest }] : [];
          yield roles.with(at, { ...role, rules: role.rules?.toSpliced(place, 1, ...replaced) ?? [] });
        }
}

describe('the log of a random workload', longProperty(), () => {
  it('contains the requests that the audit log contains, and no check complains', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, steps, async (seed, all) => {
        const events: AuditEvent[] = [];
        const sink = functionSink((written) => void events.push(...written), { mode: 'blocking' });
        const policy = { omitStages: ['RequestReceived', 'ResponseStarted'], rules: [{ level: 'Metadata' }] } as const;
        const { server, before } = await start(seed, { audit: { policy, sinks: [sink] } });
        await using _ = server;
        await using __ = before;
        events.length = 0;
        using log = recordRequests(server, { own: true });
        await performAll(server, all, powerful);
        const recorded = [...log].map(({ user, verb, path, status }) => `${user.username} ${verb} ${path} ${status}`);
        const audited = events.map(
          ({ user, verb, requestURI, responseStatus }) =>
            `${user.username} ${verb} ${requestURI.split('?')[0]} ${responseStatus?.code}`,
        );
        expect(recorded.sort()).toEqual(audited.sort());
        noHotLoop(log);
        // Controllers write other kinds in between, which the client of the workload does not read.
        noWriteOnStaleRead(log, { resource: 'configmaps' });
      }),
      { numRuns: propertyRuns(10), endOnFailure: true },
    );
  });

  it('yields roles that allow its requests, and no role that allows less does', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, steps, fc.nat(), async (seed, all, first) => {
        const { server, before } = await start(seed);
        await using _ = server;
        await using __ = before;
        using log = recordRequests(server);
        await performAll(server, [...all, { action: 'lease', namespace: 'one', name: 'a', value: 1 }], powerful);
        const { objects } = minimalRoles(log, robot.username, { name: 'robot' });
        expect(await forbidden(before, log, objects)).toEqual([]);
        // A few weaker roles of each run are enough, because other runs test others.
        const weaker = [...weakened(objects)];
        for (let i = 0; i < 4; i++)
          expect(await forbidden(before, log, weaker[(first + i * 7) % weaker.length] ?? [])).not.toEqual([]);
      }),
      { numRuns: propertyRuns(10), endOnFailure: true },
    );
  });

  it('has the same responses when it is replayed on a server with other random values', async () => {
    // The workload lets the controllers of its server work, and a replay does not, so the kinds that they serve are left out.
    const ofController = new Set(['settle', 'define', 'undefine', 'widget']);
    await fc.assert(
      fc.asyncProperty(seeds, steps, async (seed, all) => {
        const { server, before } = await start(seed);
        await using _ = server;
        await using __ = before;
        await using fork = server.fork({ random: createFakeRandom(seed + 1) }) as ApiServer;
        using log = recordRequests(server);
        await performAll(
          server,
          all.filter(({ action }) => !ofController.has(action)),
          powerful,
        );
        const { sent, skipped, text } = await replay(log, fork);
        expect(text).toBe('');
        expect([sent, skipped]).toEqual([log.size, []]);
      }),
      { numRuns: propertyRuns(10), endOnFailure: true },
    );
  });
});
