import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import { coreV1 } from '../../resources/core/core-v1.js';
import type { Pod, Toleration } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { list, omitEmpty, struct, structSchema } from '../../schema/authoring.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';
import { messageOf } from '../../values/message-of.js';
import { compareAmounts } from '../amounts.js';
import { withSpec } from './pod.js';
import { isTolerated, mergeTolerations } from './tolerations.js';

/** The tolerations for namespaces that have no annotations. */
export interface PodTolerationOptions {
  /** The tolerations that are added to every new pod. Default: none. */
  readonly default?: readonly Toleration[];
  /** The tolerations that pods may have. Default, and for an empty list: any. */
  readonly whitelist?: readonly Toleration[];
}

/** The schema of an object whose only member is the list in an annotation, because only objects can be decoded. */
const annotated = struct('io.k8s.api.core.v1.Tolerations', '', () => ({
  list: omitEmpty(list(coreV1.struct('Toleration'))),
}));

/** Returns whether the QoS class of a pod is BestEffort: no container has a request or limit for CPU or memory. */
const isBestEffort = ({ spec, status }: Pod): boolean =>
  status?.qosClass === undefined
    ? allContainers({ containers: spec.containers ?? [], initContainers: spec.initContainers ?? [] }).every(
        ({ resources }) =>
          [resources?.limits, resources?.requests].every((amounts) =>
            ['cpu', 'memory'].every((name) => compareAmounts(amounts?.[name] ?? '0', '0') <= 0),
          ),
      )
    : status.qosClass === 'BestEffort';

/** Adds the default tolerations of the namespace to pods, and refuses pods with tolerations that the namespace does not allow. */
export const podTolerationRestriction =
  (options: PodTolerationOptions = {}): AdmissionPluginFactory<Pod> =>
  ({ dialect, lister }) => {
    const namespaces = lister('', 'namespaces');
    const annotation = (name: string) => `scheduler.alpha.${domainName(dialect, name)}`;
    const [defaults, whitelist] = [annotation('defaultTolerations'), annotation('tolerationsWhitelist')];
    const pressure = {
      key: `node.${domainName(dialect, 'memory-pressure')}`,
      operator: 'Exists',
      effect: 'NoSchedule',
    };

    /**
     * Returns the tolerations in an annotation of the namespace; undefined when the annotation is absent. @throws ApiError 500 for a value
     * that is not a list of tolerations.
     */
    function annotatedTolerations({ namespace }: AdmissionAttributes, name: string): readonly Toleration[] | undefined {
      const found = namespaces.get('', namespace);
      if (!found) throw apiError.notFound({ group: '', resource: 'namespaces' }, namespace);
      const text = found.metadata.annotations?.[name];
      if (text === undefined || text === '') return text === undefined ? undefined : [];
      try {
        const { value } = parseJson(new TextEncoder().encode(text));
        const decoded = decodeTyped(structSchema(annotated), { list: value }).value as {
          readonly list?: readonly Toleration[];
        }; // Decoding guarantees this type, so the cast is safe.
        return decoded.list ?? [];
      } catch (error) {
        throw apiError.unknown(messageOf(error));
      }
    }

    return {
      name: 'PodTolerationRestriction',
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] }],
      admit(attributes) {
        const pod = attributes.object;
        const added =
          attributes.operation === 'CREATE'
            ? (annotatedTolerations(attributes, defaults) ?? options.default ?? [])
            : [];
        const extra = isBestEffort(pod) ? added : [...added, pressure];
        if (extra.length === 0) return undefined;
        return withSpec(pod, { tolerations: mergeTolerations(pod.spec.tolerations ?? [], extra) });
      },
      validate(attributes) {
        const { tolerations = [] } = attributes.object.spec;
        if (tolerations.length === 0) return;
        const own = annotatedTolerations(attributes, whitelist);
        const allowed = own ?? options.whitelist ?? [];
        if (allowed.length === 0 || tolerations.every((each) => isTolerated(allowed, each))) return;
        const whose = own ? 'namespace' : 'cluster';
        throw apiError.unknown(
          `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
        );
      },
    };
  };
