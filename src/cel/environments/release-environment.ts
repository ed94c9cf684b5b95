import type { CostTable } from '../cost/cost.js';
import type { VariableDeclaration } from '../declarations.js';
import { createEnvironment, type Environment } from '../environment.js';
import { KUBERNETES_COSTS, kubernetesLibraries, type ReleaseOptions } from '../libraries/kubernetes.js';
import type { Library } from '../libraries/library.js';

/** Options of the environments in which expressions are evaluated for a request. */
export interface ReleaseEnvironmentOptions extends ReleaseOptions {
  /** The minor version of the Kubernetes release whose CEL libraries expressions may use. Default: 31. */
  readonly release?: number;
  /** The costs of the kinds of syntax-tree nodes. Default: `KUBERNETES_COSTS`. */
  readonly costs?: CostTable;
  /**
   * Whether a call of a library function has the cost that the library defines for it (gates StrictCostEnforcementForVAP and
   * StrictCostEnforcementForWebhooks). Otherwise the call costs 1. Default: true.
   */
  readonly strictCosts?: boolean;
}

/** Makes an environment with the libraries of a release. */
export function releaseEnvironment(
  variables: readonly VariableDeclaration[],
  options: ReleaseEnvironmentOptions = {},
): Environment {
  const { release = 31, costs = KUBERNETES_COSTS, strictCosts = true } = options;
  const libraries = kubernetesLibraries(release, options);
  return createEnvironment({
    libraries: strictCosts ? libraries : libraries.map(withoutCosts),
    variables,
    costs,
    homogeneousLiterals: true,
    repeatedKeys: true,
  });
}

/**
 * Removes the costs that a library defines for its functions. Costs with `certainOnly` remain: the language itself defines them, also for
 * the functions `format` and `strings.quote` of a library.
 */
function withoutCosts(library: Library): Library {
  const own = Object.entries(library.costs ?? {}).filter(([, { certainOnly }]) => certainOnly === true);
  return { ...library, costs: Object.fromEntries(own) };
}
