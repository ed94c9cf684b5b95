import { ApiServer, type Client } from 'orch-apiserver';
import { createFakeClock, type FakeClock, type Faults, injectFaults } from 'orch-apiserver/testing';
import { expect, it } from 'vitest';

/** The server and the clients with which every test of the catalog begins. */
export interface Stage {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  readonly faults: Faults;
  /** The client of the controller. */
  readonly client: Client;
  /** The client of the user and of the test, which no fault affects. */
  readonly user: Client;
}

export const where = { namespace: 'default' };

/** A test of the catalog. `bug` is whether the controller has the bug. */
type BugTest = (stage: Stage, bug: boolean) => Promise<void>;

/** Runs a test twice: it must fail for the controller with the bug, and pass for the fixed one. */
export function catches(test: BugTest): void {
  it('passes with the corrected controller', () => onStage((stage) => test(stage, false)));
  it('detects the bug', async () => {
    const run = onStage((stage) => test(stage, true));
    await expect(run).rejects.toMatchObject({ name: 'AssertionError' });
  });
}

async function onStage(test: (stage: Stage) => Promise<void>): Promise<void> {
  const clock = createFakeClock();
  const controllers = { mode: 'stepped' } as const;
  await using server = new ApiServer({ dialect: 'k8s', clock, controllers, certificates: { root: false } });
  await server.start();
  await server.settle();
  const faults = injectFaults(server);
  await test({ server, clock, faults, client: server.client(), user: faults.observer() });
  faults.verify();
}
