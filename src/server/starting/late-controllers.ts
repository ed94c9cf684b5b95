import type { ControllerDefinition } from '../../controllers/controller.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { serveResource } from '../../registry/served/served-resource.js';
import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { makeRoles, seed } from './seed.js';

/**
 * Prefixes of webhooks, policies and quotas, which decide on or count other objects. They are not consulted about objects written directly
 * to the storage, so postponed objects must be written before the first of these is stored.
 */
const JUDGES = [
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingwebhookconfigurations',
  'resourcequotas',
].map((kind) => `/registry/${kind}/`);

/** Work that is postponed to the first use of some kinds. */
interface Late {
  readonly prefixes: readonly string[];
  readonly controllers: ControllerDefinition[];
  /** Whether the default roles are made before these controllers start. */
  roles: boolean;
}

/** The work that a start does itself. */
export interface Beginning {
  readonly controllers: readonly ControllerDefinition[];
  /** Whether the default roles are made. */
  readonly roles: boolean;
}

/**
 * Postpones controllers and the default roles to the first use of their kinds, if nothing needs them earlier and only default plug-ins
 * would see their writes.
 * @param seeds whether they may then write directly to the storage.
 * @returns the work that remains for the start.
 */
export function leaveForFirstUse(parts: ServerParts, seeds: boolean): Beginning {
  const { starting } = parts;
  const { definitions, defaults, roles } = starting;
  if (!starting.seeds) return { controllers: definitions, roles };
  const later = new Map<string, Late>();
  /** Returns undefined if the kinds are needed at once. */
  const leave = (kinds: readonly ResourceDefinition[]): Late | undefined => {
    const prefixes = kinds.map((kind) => serveResource(kind, starting.host.dialect).keyPrefix);
    if (prefixes.length === 0 || isNeeded(kinds, prefixes, parts)) return undefined;
    const key = prefixes.join();
    const late = later.get(key) ?? { prefixes, controllers: [], roles: false };
    later.set(key, late);
    return late;
  };
  const withRoles = roles ? leave(defaults.roleKinds ?? []) : undefined;
  if (withRoles) withRoles.roles = true;
  const atStart: ControllerDefinition[] = [];
  for (const definition of definitions) (leave(definition.onFirstUseOf ?? [])?.controllers ?? atStart).push(definition);
  for (const late of later.values()) begin(parts, late, seeds);
  return { controllers: atStart, roles: roles && !withRoles };
}

function begin(parts: ServerParts, { prefixes, controllers, roles }: Late, seeds: boolean): void {
  const { host, firstUses, unasked, roles: areAsked } = parts.starting;
  firstUses.add([...prefixes, ...JUDGES], async () => {
    // The storage has no objects of these kinds, and no objects that would have to check them.
    if (roles) await makeRoles(parts, true);
    // Controllers of the same kinds read each other's objects, so these are stored before any of them starts.
    if (seeds || roles) await seed(parts, controllers);
    const started = parts.controllers.start(controllers, host, controllerClients(unasked, areAsked));
    // The controllers' requests wait for the roles, so their remaining work must not be awaited here.
    if (!roles) await parts.controllers.settle(started);
  });
}

/** Returns whether such objects or objects that decide on others already exist, or flow control reads the kinds. */
function isNeeded(
  wanted: readonly ResourceDefinition[],
  prefixes: readonly string[],
  { environment, storage, starting }: ServerParts,
): boolean {
  const { kinds = [] } = (environment.flowControl && starting.defaults.flowControl) ?? {};
  return (
    wanted.some((kind) => kinds.includes(kind)) || [...prefixes, ...JUDGES].some((prefix) => storage.count(prefix) > 0)
  );
}
