import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseJson } from '../../serialization/json/decode.js';
import { messageOf } from '../../values/message-of.js';
import { compareAmounts } from '../amounts.js';
import { isOfPod, type PodObject, type Toleration, withSpec } from './pod.js';
import { tolerationList } from './toleration-list.js';
import { isTolerated, mergeTolerations } from './tolerations.js';

/** The tolerations of namespaces without annotations. */
export interface PodTolerationOptions {
  /** The tolerations that every new pod gets. Default: none. */
  readonly default?: readonly Toleration[];
  /** The tolerations that pods may have. An empty list allows any. */
  readonly whitelist?: readonly Toleration[];
}

/** Returns whether no container requests CPU or memory. */
const isBestEffort = ({ spec, status }: PodObject): boolean =>
  status?.qosClass === undefined
    ? allContainers({ containers: spec.containers ?? [], initContainers: spec.initContainers ?? [] }).every(
        ({ resources }) =>
          [resources?.limits, resources?.requests].every((amounts) =>
            ['cpu', 'memory'].every((name) => compareAmounts(amounts?.[name] ?? '0', '0') <= 0),
          ),
      )
    : status.qosClass === 'BestEffort';

/** Gives pods the default tolerations of their namespace, and refuses those that it does not allow. */
export const podTolerationRestriction =
  (options: PodTolerationOptions = {}): AdmissionPluginFactory =>
  ({ dialect, lister }) => {
    const namespaces = lister<ApiObject>('', 'namespaces');
    const annotation = (name: string) => `scheduler.alpha.${domainName(dialect, name)}`;
    const [defaults, whitelist] = [annotation('defaultTolerations'), annotation('tolerationsWhitelist')];
    const pressure = {
      key: `node.${domainName(dialect, 'memory-pressure')}`,
      operator: 'Exists',
      effect: 'NoSchedule',
    };

    /**
     * Returns the tolerations in an annotation of the namespace; undefined when it is absent. @throws ApiError 500 for a value that is not
     * a list of tolerations.
     */
    function annotatedTolerations({ namespace }: AdmissionAttributes, name: string): readonly Toleration[] | undefined {
      const found = namespaces.get('', namespace);
      if (!found) throw apiError.notFound({ group: '', resource: 'namespaces' }, namespace);
      const text = found.metadata.annotations?.[name];
      if (text === undefined || text === '') return text === undefined ? undefined : [];
      try {
        const { value } = parseJson(new TextEncoder().encode(text));
        const decoded = decodeTyped(tolerationList(), { list: value }).value as {
          readonly list?: readonly Toleration[];
        }; // by its schema
        return decoded.list ?? [];
      } catch (error) {
        throw apiError.unknown(messageOf(error));
      }
    }

    return {
      name: 'PodTolerationRestriction',
      handles: isOfPod('CREATE', 'UPDATE'),
      admit(attributes) {
        const pod = attributes.object as PodObject; // handles() lets only pods in
        const added =
          attributes.operation === 'CREATE'
            ? (annotatedTolerations(attributes, defaults) ?? options.default ?? [])
            : [];
        const extra = isBestEffort(pod) ? added : [...added, pressure];
        if (extra.length === 0) return undefined;
        return withSpec(pod, { tolerations: mergeTolerations(pod.spec.tolerations ?? [], extra) });
      },
      validate(attributes) {
        const { tolerations = [] } = (attributes.object as PodObject).spec;
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
