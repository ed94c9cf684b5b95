import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { labelsOfText } from '../../selectors/labels-of-text.js';
import { messageOf } from '../../values/message-of.js';
import type { AdmissionAttributes, AdmissionPluginFactory } from '../admission-plugin.js';
import { isOfPod, type PodObject, withSpec } from './pod.js';

/** Labels of nodes, `a=b,c=d`: by the namespace they are all that its pods may name; one key is the default of all namespaces. */
export type NodeSelectors = Readonly<Record<string, string>>;

const DEFAULT = 'clusterDefaultNodeSelector';
type Labels = Readonly<Record<string, string>>;

const isIn = (whole: Labels, key: string) => Object.hasOwn(whole, key);
const contradict = (a: Labels, b: Labels) => Object.entries(a).some(([key, value]) => isIn(b, key) && b[key] !== value);

/** @throws ApiError 500 for what are not labels. */
function read(text: string): Labels {
  try {
    return labelsOfText(text);
  } catch (error) {
    throw apiError.unknown(messageOf(error));
  }
}

/** Pods run on the nodes of their namespace only, by an annotation of it, or the configuration. */
export const podNodeSelector =
  (selectors: NodeSelectors = {}): AdmissionPluginFactory =>
  ({ dialect, lister }) => {
    const namespaces = lister<ApiObject>('', 'namespaces');
    const annotation = `scheduler.alpha.${domainName(dialect, 'node-selector')}`;
    const configured = (key: string) => read(isIn(selectors, key) ? (selectors[key] ?? '') : '');

    /** @throws ApiError 403 where the pod and its namespace contradict each other. */
    function ofNamespace({ namespace, resource, object }: AdmissionAttributes): Labels {
      const found = namespaces.get('', namespace);
      if (!found) throw apiError.internal(`namespace ${namespace} does not exist`);
      const text = found.metadata.annotations?.[annotation];
      const labels = text === undefined ? configured(DEFAULT) : read(text);
      const { metadata, spec } = object as PodObject; // handles() lets only pods in
      if (!contradict(labels, spec.nodeSelector ?? {})) return labels;
      const why = 'pod node label selector conflicts with its namespace node label selector';
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    }

    /** @throws ApiError 403 for labels that pods of the namespace may not name. */
    function check({ namespace, resource }: AdmissionAttributes, { metadata, spec }: PodObject): void {
      const allowed = configured(namespace);
      if (Object.keys(allowed).length === 0) return;
      if (Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => isIn(allowed, key) && allowed[key] === value))
        return;
      const why = 'pod node label selector labels conflict with its namespace whitelist';
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    }

    return {
      name: 'PodNodeSelector',
      handles: isOfPod('CREATE'),
      admit(attributes) {
        const pod = attributes.object as PodObject;
        const nodeSelector = { ...ofNamespace(attributes), ...pod.spec.nodeSelector };
        const placed = withSpec(pod, {
          nodeSelector: Object.keys(nodeSelector).length === 0 ? undefined : nodeSelector,
        });
        check(attributes, placed);
        return placed;
      },
      // What other plug-ins have made of the pod counts, too.
      validate(attributes) {
        ofNamespace(attributes);
        check(attributes, attributes.object as PodObject);
      },
    };
  };
