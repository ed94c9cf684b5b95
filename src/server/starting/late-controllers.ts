import type { ControllerDefinition } from '../../controllers/controller.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { serveResource } from '../../registry/served/served-resource.js';
import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { makeRoles, seed } from './seed.js';

/** What judges or counts the objects of others: it has to find what a server begins with, and is not asked about it. */
const JUDGES = [
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingwebhookconfigurations',
  'resourcequotas',
].map((kind) => `/registry/${kind}/`);

/** What is left for the first use of some kinds. */
interface Late {
  readonly prefixes: readonly string[];
  readonly controllers: ControllerDefinition[];
  /** Whether the default roles are made before these begin. */
  roles: boolean;
}

/** What a start does. */
export interface Beginning {
  readonly controllers: readonly ControllerDefinition[];
  /** Whether the default roles are made. */
  readonly roles: boolean;
}

/**
 * Leaves controllers and the default roles for the first use of a kind, where nothing needs them before and only the defaults see
 * what they write.
 * @param seeds whether what they make then may be stored past requests.
 * @returns what begins at the start.
 */
export function leaveForFirstUse(parts: ServerParts, seeds: boolean): Beginning {
  const { starting } = parts;
  const { definitions, defaults, roles } = starting;
  if (!starting.seeds) return { controllers: definitions, roles };
  const later = new Map<string, Late>();
  /** Undefined: they are needed at once. */
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
    // None of their kinds is stored, and nothing that would judge them.
    if (roles) await makeRoles(parts, true);
    // Those of the same kinds look at what the others make.
    if (seeds || roles) await seed(parts, controllers);
    const started = parts.controllers.start(controllers, host, controllerClients(unasked, areAsked));
    // Every request of theirs waits for the roles: what is left to do comes after.
    if (!roles) await parts.controllers.settle(started);
  });
}

/** Whether there are such objects or judges already, or flow control reads them. */
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
