import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import { annotatedList } from '../../resources/core/annotated-list.js';
import { coreV1 } from '../../resources/core/core-v1.js';
import type { Pod, Toleration } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
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
      const namespaceObject = namespaces.get('', namespace);
      if (!namespaceObject) throw apiError.notFound({ group: '', resource: 'namespaces' }, namespace);
      const text = namespaceObject.metadata.annotations?.[name];
      if (text === undefined || text === '') return text === undefined ? undefined : [];
      try {
        return annotatedList(text, coreV1.struct('Toleration'), 'v1.Toleration');
      } catch (error) {
        throw apiError.unknown(messageOf(error));
      }
    }

    /** Checks the tolerations of a pod. @throws ApiError 500 for a toleration that the namespace does not allow. */
    function check(attributes: AdmissionAttributes, tolerations: readonly Toleration[]): void {
      if (tolerations.length === 0) return;
      const own = annotatedTolerations(attributes, whitelist);
      const allowed = own ?? options.whitelist ?? [];
      if (allowed.length === 0 || tolerations.every((each) => isTolerated(allowed, each))) return;
      const whose = own ? 'namespace' : 'cluster';
      throw apiError.unknown(
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
      );
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
        const { tolerations: specified = [] } = pod.spec;
        const tolerations = extra.length === 0 ? specified : mergeTolerations(specified, extra);
        // Tolerations that are not allowed are refused before the pod is validated.
        check(attributes, tolerations);
        return extra.length === 0 ? undefined : withSpec(pod, { tolerations });
      },
      // Plug-ins that run later may have changed the pod, so it is checked again.
      validate: (attributes) => check(attributes, attributes.object.spec.tolerations ?? []),
    };
  };
