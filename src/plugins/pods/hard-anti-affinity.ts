import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import type { Pod } from '../../resources/core/core-v1.types.js';

const FIELD = 'affinity.PodAntiAffinity.RequiredDuringScheduling';

/** Refuses required anti-affinity for any topology key except the host name, so that a pod cannot keep other pods out of a whole zone. */
export const limitPodHardAntiAffinityTopology: AdmissionPluginFactory<Pod> = ({ dialect }) => {
  const allowed = domainName(dialect, 'hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] }],
    validate({ object, resource }) {
      const { metadata, spec } = object;
      const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const other = terms.find(({ topologyKey }) => topologyKey !== allowed);
      if (!other) return;
      const why = `${FIELD} has TopologyKey ${other.topologyKey} but only key ${allowed} is allowed`;
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    },
  };
};
