import type { AdmissionAttributes } from '../../admission/admission-plugin.js';

/** Returns whether a request is for an object in a namespace; a Namespace is not in itself. */
export const isInNamespace = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && (kind.group !== '' || kind.kind !== 'Namespace');
