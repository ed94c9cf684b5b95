import type { AdmissionAttributes, AdmissionPluginFactory } from '../admission/admission-plugin.js';
import { forbiddenRequest } from '../admission/refusal.js';

/** Admits every request. */
export const alwaysAdmit: AdmissionPluginFactory = () => ({ name: 'AlwaysAdmit' });

/** Refuses every write and every connection to a subresource such as `exec`. */
export const alwaysDeny: AdmissionPluginFactory = () => {
  const refuse = (attributes: AdmissionAttributes): never => {
    throw forbiddenRequest(attributes, 'admission control is denying all modifications');
  };
  return { name: 'AlwaysDeny', connects: true, admit: refuse, validate: refuse };
};
