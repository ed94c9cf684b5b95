/**
 * `orch-apiserver/testing/servers`: a server for each test, fleets of servers, and manifests from files. This entry point opens ports and
 * reads files, so it needs Node; `orch-apiserver/testing` does not.
 */
export { Fleet, type FleetOptions, fleet } from './fleet.js';
export { ForkedServers, type ForkedServersOptions, forkedServers } from './forked-servers.js';
export { manifests } from './manifests.js';
export { TestServer } from './test-server.js';
