import { test } from 'vitest';
import type { Client } from '../../client/client.js';
import type { CoreApiServer } from '../../server/core-api-server.js';
import { type ForkedServers, type ForkedServersOptions, forkedServers } from '../forked-servers.js';
import type { TestServer } from '../test-server.js';

/** The fixtures of {@link serverTest}. */
export interface ServerFixtures {
  /** The server from which the servers of all tests in the file are forked. */
  readonly forkedServers: ForkedServers;
  /** The fork for this test. {@link ServerFixtures.kubeconfig} opens its port. */
  readonly testServer: TestServer;
  /** The server of this test. */
  readonly server: CoreApiServer;
  /** A client of the server that may do everything. */
  readonly client: Client;
  /**
   * A kubeconfig as YAML, for `KubeConfig.loadFromString()` of `@kubernetes/client-node`. The port is opened only for tests that use this
   * fixture.
   */
  readonly kubeconfig: string;
}

/**
 * Returns vitest's `test` with the fixtures `server`, `client` and `kubeconfig`. One server for each file is started and set up before the
 * first test that needs it. Each test gets a fork of this server, and the fork is closed after the test. Use `extend` for fixtures that
 * build on these.
 * @throws TypeError for an option that does not exist. The first test fails with vitest before 3.2, which has no fixtures for each file.
 */
export function serverTest(options: ForkedServersOptions = {}) {
  forkedServers(options); // This call refuses unknown options here instead of in the first test.
  return test.extend<ServerFixtures>({
    forkedServers: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that a fixture uses from this pattern
      async ({}, use) => {
        const servers = forkedServers(options);
        await use(servers);
        await servers.close();
      },
      { scope: 'file' },
    ],
    testServer: async ({ forkedServers: servers }, use) => {
      // Earlier releases do not know the option `scope`, and take the array with the function for the value of the fixture.
      if (Array.isArray(servers)) throw new TypeError('serverTest() needs vitest 3.2 or newer');
      const fork = await servers.fork();
      await use(fork);
      await fork.close();
    },
    server: async ({ testServer }, use) => await use(testServer.server),
    client: async ({ testServer }, use) => await use(testServer.client),
    kubeconfig: async ({ testServer }, use) => await use(await testServer.kubeconfig()),
  });
}
