import { defaultControllers } from '../controllers/default-controllers.js';
import { featureGates as allGates } from '../meta/features/feature-gates.js';
import { defaultAdmissionByName } from '../plugins/default-admission.js';
import { optionalAdmission } from '../plugins/optional-admission.js';

/** The names that flags accept, such as plug-ins and controllers. This module is loaded only for the help. */
export const admissionPlugins: readonly string[] = [
  ...defaultAdmissionByName.keys(),
  ...[...optionalAdmission.keys()].map((name) => `${name} (not a default)`),
];
// Controllers without names of their own always run, so the flag does not know them.
export const controllers: readonly string[] = defaultControllers.flatMap(({ switchedBy }) => switchedBy?.[0] ?? []);
export const featureGates: readonly string[] = Object.entries(allGates()).map(([name, on]) => `${name}=${on}`);
