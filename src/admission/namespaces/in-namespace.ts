import type { AdmissionAttributes } from '../admission-plugin.js';

/** Whether a request is about something in a namespace; a namespace is not in itself. */
export const isInNamespace = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && (kind.group !== '' || kind.kind !== 'Namespace');
