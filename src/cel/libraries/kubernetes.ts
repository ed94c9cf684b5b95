import { type CostTable, STANDARD_COSTS } from '../cost/cost.js';
import type { TypePackage } from '../typing/type-package.js';
import { authorizerSelectorsIn, authorizersIn } from './authorizer.js';
import type { Library } from './library.js';
import { lists } from './lists.js';
import { literalChecks } from './literal-checks.js';
import { formatsIn } from './named-format.js';
import { cidrs, ips } from './network/network.js';
import { urlsIn } from './network/url.js';
import { optionals } from './optional.js';
import { quantitiesIn } from './quantity.js';
import { regex } from './regex.js';
import { sets } from './sets.js';
import { standard, standardOfOneType } from './standard.js';
import { strings } from './strings.js';

/** Returns the libraries, each with the minor version of the Kubernetes release that added it; 0 means from the beginning. */
const since = (typePackage?: TypePackage): readonly (readonly [minor: number, library: Library])[] => [
  [0, lists],
  [0, regex],
  [0, urlsIn(typePackage)],
  [27, authorizersIn(typePackage)],
  [28, optionals],
  [28, quantitiesIn(typePackage)],
  [29, literalChecks],
  [29, sets],
  [30, ips],
  [30, cidrs],
  // Upstream lists the formats under 1.31, so that new expressions could use them only in 1.32. Recorded responses nevertheless show that a
  // server of 1.31 compiles new expressions with them.
  [30, formatsIn(typePackage)],
];

/** The options of {@link kubernetesLibraries}. */
export interface ReleaseOptions {
  /** Whether authorization checks have `fieldSelector` and `labelSelector` (gate AuthorizeWithSelectors). Default: false. */
  readonly authorizerSelectors?: boolean;
  /** The package of the libraries' types. Default: `kubernetes`. */
  readonly typePackage?: TypePackage;
}

/** Returns the libraries of Kubernetes 1.`minor`. A server compiles new expressions with the libraries of the previous release. */
export function kubernetesLibraries(minor: number, options: ReleaseOptions = {}): readonly Library[] {
  const { typePackage } = options;
  const libraries = since(typePackage)
    .filter(([first]) => first <= minor)
    .map(([, library]) => library);
  const selectors = options.authorizerSelectors === true && minor >= 31 ? [authorizerSelectorsIn(typePackage)] : [];
  const language = minor >= 28 ? standard : standardOfOneType;
  return [language, ...libraries, strings(minor >= 29 ? 2 : 0), ...selectors];
}

/** The runtime costs of syntax-tree nodes in the API server, which evaluates constants only once. */
export const KUBERNETES_COSTS: CostTable = Object.freeze({ ...STANDARD_COSTS, constantsAreFree: true });
