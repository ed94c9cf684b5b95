import { type CostTable, STANDARD_COSTS } from '../cost/cost.js';
import { authorizerSelectors, authorizers } from './authorizer.js';
import type { Library } from './library.js';
import { lists } from './lists.js';
import { literalChecks } from './literal-checks.js';
import { formats } from './named-format.js';
import { cidrs, ips } from './network/network.js';
import { urls } from './network/url.js';
import { optionals } from './optional.js';
import { quantities } from './quantity.js';
import { regex } from './regex.js';
import { sets } from './sets.js';
import { standard, standardOfOneType } from './standard.js';
import { strings } from './strings.js';

/** Minor versions since which the Kubernetes API knows a library; 0: ever since it knows expressions. */
const SINCE: readonly (readonly [minor: number, library: Library])[] = [
  [0, lists],
  [0, regex],
  [0, urls],
  [27, authorizers],
  [28, optionals],
  [28, quantities],
  [29, literalChecks],
  [29, sets],
  [30, ips],
  [30, cidrs],
  [31, formats],
];

export interface ReleaseOptions {
  /** `fieldSelector` and `labelSelector` of authorization checks (gate AuthorizeWithSelectors). Default: false. */
  readonly authorizerSelectors?: boolean;
}

/** The libraries of release 1.`minor`. New expressions are compiled with those of the release before. */
export function kubernetesLibraries(minor: number, options: ReleaseOptions = {}): readonly Library[] {
  const libraries = SINCE.filter(([since]) => since <= minor).map(([, library]) => library);
  const selectors = options.authorizerSelectors === true && minor >= 31 ? [authorizerSelectors] : [];
  const language = minor >= 28 ? standard : standardOfOneType;
  return [language, ...libraries, strings(minor >= 29 ? 2 : 0), ...selectors];
}

/** Exact costs as the server counts them: constants are made once. */
export const KUBERNETES_COSTS: CostTable = Object.freeze({ ...STANDARD_COSTS, constantsAreFree: true });
