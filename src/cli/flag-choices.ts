import { defaultControllers } from '../controllers/default-controllers.js';
import { featureGates as allGates } from '../meta/features/feature-gates.js';
import { defaultAdmissionByName } from '../plugins/default-admission.js';
import { optionalAdmission } from '../plugins/optional-admission.js';

/** The names that flags accept, such as plug-ins and controllers. This module is loaded only for the help. */
export const admissionPlugins: readonly string[] = [
  ...defaultAdmissionByName.keys(),
  ...[...optionalAdmission.keys()].map((name) => `${name} (not a default)`),
];
export const controllers: readonly string[] = defaultControllers.flatMap(
  ({ name, switchedBy }) => switchedBy?.[0] ?? name,
);
export const featureGates: readonly string[] = Object.entries(allGates()).map(([name, on]) => `${name}=${on}`);
