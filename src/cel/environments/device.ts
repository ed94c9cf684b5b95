import { createEnvironment, type Environment } from '../environment.js';
import { bindings } from '../libraries/bindings.js';
import { KUBERNETES_COSTS, kubernetesLibraries } from '../libraries/kubernetes.js';
import { semversIn } from '../libraries/semver.js';
import type { TypePackage } from '../typing/type-package.js';
import { requestTypes } from './request-types.js';

/**
 * Makes the environment of device selectors. Its variable is `device`. Selectors are only checked, because this server does not allocate
 * devices.
 * @param typePackage the package of the type of `device`. Default: `kubernetes`.
 */
export const deviceEnvironment = (typePackage?: TypePackage): Environment =>
  createEnvironment({
    libraries: [...kubernetesLibraries(31, typePackage && { typePackage }), semversIn(typePackage), bindings],
    variables: [{ name: 'device', type: requestTypes(typePackage).device }],
    costs: KUBERNETES_COSTS,
    homogeneousLiterals: true,
    repeatedKeys: true,
  });
