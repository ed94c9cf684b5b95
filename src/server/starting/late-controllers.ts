import type { ControllerDefinition } from '../../controllers/controller.js';
import { serveResource } from '../../registry/served/served-resource.js';
import { controllerClients } from '../clients.js';
import type { ServerParts } from '../parts.js';
import { seed } from './seed.js';

/** What judges or counts the objects of others: it has to find what a server begins with, and is not asked about it. */
const JUDGES = [
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingwebhookconfigurations',
  'resourcequotas',
].map((kind) => `/registry/${kind}/`);

/**
 * Leaves controllers for the first use of a kind, where nothing needs them before and only the defaults see what they write.
 * @param seeds whether what they make then may be stored past requests.
 * @returns those that begin at the start.
 */
export function leaveForFirstUse(parts: ServerParts, seeds: boolean): readonly ControllerDefinition[] {
  const { controllers, starting } = parts;
  if (!starting.seeds) return starting.definitions;
  const { host, roles, firstUses, unasked } = starting;
  const clientFor = controllerClients(unasked, roles);
  const later = new Map<string, ControllerDefinition[]>();
  const atStart = starting.definitions.filter((definition) => {
    const prefixes = keyPrefixes(definition, parts);
    if (prefixes.length === 0 || isNeeded(definition, prefixes, parts)) return true;
    const together = later.get(prefixes.join());
    if (together) together.push(definition);
    else later.set(prefixes.join(), [definition]);
    return false;
  });
  // Those of the same kinds look at what the others make.
  for (const definitions of later.values()) {
    const prefixes = keyPrefixes(definitions[0], parts);
    firstUses.add([...prefixes, ...JUDGES], async () => {
      if (seeds) await seed(parts, definitions);
      await controllers.settle(controllers.start(definitions, host, clientFor));
    });
  }
  return atStart;
}

const keyPrefixes = (definition: ControllerDefinition | undefined, { starting }: ServerParts): readonly string[] =>
  (definition?.onFirstUseOf ?? []).map((kind) => serveResource(kind, starting.host.dialect).keyPrefix);

/** Whether there are such objects or judges already, or flow control reads them. */
function isNeeded(
  { onFirstUseOf = [] }: ControllerDefinition,
  prefixes: readonly string[],
  { environment, storage, starting }: ServerParts,
): boolean {
  const { kinds = [] } = (environment.flowControl && starting.defaults.flowControl) ?? {};
  return (
    onFirstUseOf.some((kind) => kinds.includes(kind)) ||
    [...prefixes, ...JUDGES].some((prefix) => storage.count(prefix) > 0)
  );
}
