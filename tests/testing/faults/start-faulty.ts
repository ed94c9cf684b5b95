import { createFakeClock, injectFaults } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

export const where = { namespace: 'default' };
export const made = (name: string) => ({ metadata: { name }, data: { n: '1' } });

/** Starts a server with a fake clock and stepped controllers, and injects faults into it. */
export async function startFaulty() {
  const clock = createFakeClock();
  const server = await startServer({
    dialect: 'k8s',
    clock,
    controllers: { mode: 'stepped' },
    certificates: { root: false },
  });
  await server.settle();
  return { clock, server, faults: injectFaults(server) };
}
