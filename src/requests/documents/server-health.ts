import { HealthChecks } from './health.js';

/** The states of a server that its health is read from; every further member is a check that passes once it answers true. */
export interface ServerStates {
  running(): boolean;
  closing(): boolean;
  readonly [check: string]: () => boolean;
}

/** The health checks of a server, under the names that clients know. */
export function serverHealth({ running, closing, ...hooks }: ServerStates): HealthChecks {
  const well = () => undefined;
  const finished = (is: () => boolean) => () => (is() ? undefined : 'not finished');
  const basic = ['ping', 'log', 'etcd'].map((name) => ({ name, check: well }));
  const started = [
    { name: 'poststarthook/start-system-namespaces-controller', check: finished(running) },
    ...Object.entries(hooks).map(([name, is]) => ({ name, check: finished(is) })),
  ];
  const shutdown = { name: 'shutdown', check: () => (closing() ? 'process is shutting down' : undefined) };
  return new HealthChecks({
    healthz: [...basic, ...started],
    livez: [...basic, ...started],
    readyz: [...basic, { name: 'informer-sync', check: well }, ...started, shutdown],
  });
}
