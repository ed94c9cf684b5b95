import { createEnvironment, type Environment } from '../environment.js';
import { bindings } from '../libraries/bindings.js';
import { KUBERNETES_COSTS, kubernetesLibraries } from '../libraries/kubernetes.js';
import { QUANTITY } from '../libraries/quantity.js';
import { semvers } from '../libraries/semver.js';
import { ANY, mapOf, STRING } from '../typing/type.js';
import { record } from './request-types.js';

const DEVICE = record('kubernetes.DRADevice', () => ({
  driver: STRING,
  attributes: mapOf(STRING, mapOf(STRING, ANY)),
  capacity: mapOf(STRING, mapOf(STRING, QUANTITY)),
}));

/** Selectors of devices: `device`. They are checked only: nothing is allocated here. */
export const deviceEnvironment = (): Environment =>
  createEnvironment({
    libraries: [...kubernetesLibraries(31), semvers, bindings],
    variables: [{ name: 'device', type: DEVICE }],
    costs: KUBERNETES_COSTS,
    homogeneousLiterals: true,
    repeatedKeys: true,
  });
