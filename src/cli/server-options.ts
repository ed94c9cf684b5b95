import { dialectOf } from '../meta/dialect.js';
import type { CliListen, CliServerFactory } from './cli-server.js';

/** Makes the server that the flags describe: the only place that maps flags to options of ApiServer. */
export const makeServer: CliServerFactory = async ({ values }, log) => {
  const { ApiServer } = await import('../api-server.js');
  return new ApiServer({ dialect: dialectOf(values.dialect === 'k8s' ? 'k8s' : 'orch').name, log });
};

/** Listens over HTTPS. */
export const listenOverHttp: CliListen = async (server, options) => {
  const { listen } = await import('../http/index.js');
  return await listen(server, options);
};
