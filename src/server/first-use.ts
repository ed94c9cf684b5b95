import type { ControllerHost } from '../controllers/controller.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RequestEnvironment } from '../requests/environment.js';
import { serverClient } from './clients.js';
import type { ServerDefaults } from './defaults.js';

/**
 * Has the server make what it makes of some kinds, when somebody first asks for such a kind: most servers never need it.
 * @param environment what the maker's own requests are answered with: they wait for nothing.
 */
export function firstUse(
  { onFirstUse = [] }: ServerDefaults,
  host: ControllerHost,
  environment: RequestEnvironment,
): NonNullable<RequestEnvironment['firstUse']> {
  const makers = new Map(onFirstUse.map(({ kind, make }) => [kind, make]));
  const making = new Map<ResourceDefinition, Promise<void>>();
  return (kind) => {
    const under = making.get(kind);
    const make = under ? undefined : makers.get(kind);
    if (!make) return under;
    makers.delete(kind);
    const made = make(host, serverClient(environment)).then(
      () => void making.delete(kind),
      (error: unknown) => {
        // Tried again by the next request.
        making.delete(kind);
        makers.set(kind, make);
        throw error;
      },
    );
    making.set(kind, made);
    return made;
  };
}
