import { DEFAULT_ROLES_CHECK } from '../controllers/roles/default-roles.js';
import { type HealthCheck, HealthChecks, type HealthObserver } from '../requests/documents/health.js';
import type { Progress } from './parts.js';

const NAMESPACES_CHECK = 'poststarthook/start-system-namespaces-controller';

/** The checks of a server. @param roles whether it makes the default roles. */
export function healthChecks(progress: Progress, roles: boolean, observe?: HealthObserver): HealthChecks {
  const well = () => undefined;
  const finished = (done: boolean) => (done ? undefined : 'not finished');
  const basic: HealthCheck[] = ['ping', 'log', 'etcd'].map((name) => ({ name, check: well }));
  const hooks: HealthCheck[] = [
    { name: NAMESPACES_CHECK, check: () => finished(progress.namespacesReady) },
    ...(roles ? [{ name: DEFAULT_ROLES_CHECK, check: () => finished(progress.rolesReady) }] : []),
  ];
  const shutdown = { name: 'shutdown', check: () => (progress.closing ? 'process is shutting down' : undefined) };
  return new HealthChecks(
    {
      healthz: [...basic, ...hooks],
      livez: [...basic, ...hooks],
      readyz: [...basic, { name: 'informer-sync', check: well }, ...hooks, shutdown],
    },
    observe,
  );
}
