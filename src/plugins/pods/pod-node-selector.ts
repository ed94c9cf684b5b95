import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import { labelValue, qualifiedName } from '../../meta/names.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { ParseError } from '../../values/parse-error.js';
import { withSpec } from './pod.js';

/**
 * Node labels in the form `a=b,c=d`, by namespace. Pods of the namespace may select only these labels. The key `clusterDefaultNodeSelector`
 * holds the selector for namespaces without an annotation.
 */
export type NodeSelectors = Readonly<Record<string, string>>;

const DEFAULT = 'clusterDefaultNodeSelector';
type Labels = Readonly<Record<string, string>>;

const isIn = (whole: Labels, key: string) => Object.hasOwn(whole, key);
const contradict = (a: Labels, b: Labels) => Object.entries(a).some(([key, value]) => isIn(b, key) && b[key] !== value);

/** Parses node labels. @throws ApiError 500 for a string that is not a list of labels. */
function parseLabels(text: string): Labels {
  try {
    return labelsOfText(text);
  } catch (error) {
    throw apiError.unknown(messageOf(error));
  }
}

/** Restricts pods to the nodes that are assigned to their namespace by the namespace's annotation or by the configuration. */
export const podNodeSelector =
  (selectors: NodeSelectors = {}): AdmissionPluginFactory<Pod> =>
  ({ dialect, lister }) => {
    const namespaces = lister('', 'namespaces');
    const annotation = `scheduler.alpha.${domainName(dialect, 'node-selector')}`;
    const readSelector = (key: string) => parseLabels(isIn(selectors, key) ? (selectors[key] ?? '') : '');

    /** Returns the node labels assigned to the namespace. @throws ApiError 403 when the pod's node selector contradicts them. */
    function ofNamespace({ namespace, resource, object }: AdmissionAttributes<Pod>): Labels {
      const namespaceObject = namespaces.get('', namespace);
      if (!namespaceObject) throw apiError.internal(`namespace ${namespace} does not exist`);
      const text = namespaceObject.metadata.annotations?.[annotation];
      const labels = text === undefined ? readSelector(DEFAULT) : parseLabels(text);
      const { metadata, spec } = object;
      if (!contradict(labels, spec.nodeSelector ?? {})) return labels;
      const why = 'pod node label selector conflicts with its namespace node label selector';
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    }

    /** Checks the pod's node selector. @throws ApiError 403 for labels that pods of the namespace may not select. */
    function check({ namespace, resource }: AdmissionAttributes, { metadata, spec }: Pod): void {
      const allowed = readSelector(namespace);
      if (Object.keys(allowed).length === 0) return;
      if (Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => isIn(allowed, key) && allowed[key] === value))
        return;
      const why = 'pod node label selector labels conflict with its namespace whitelist';
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    }

    return {
      name: 'PodNodeSelector',
      rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['pods'] }],
      admit(attributes) {
        const pod = attributes.object;
        const nodeSelector = { ...ofNamespace(attributes), ...pod.spec.nodeSelector };
        const placed = withSpec(pod, {
          nodeSelector: Object.keys(nodeSelector).length === 0 ? undefined : nodeSelector,
        });
        check(attributes, placed);
        return placed;
      },
      // Plug-ins that run later may have changed the pod, so it is checked again.
      validate(attributes) {
        ofNamespace(attributes);
        check(attributes, attributes.object);
      },
    };
  };

/**
 * Parses labels written as `a=b,c=d`, the simplest form of a label selector.
 * @throws ParseError for any other string, with the API's error message.
 */
function labelsOfText(text: string): Readonly<Record<string, string>> {
  const labels: [string, string][] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const sides = part.split('=');
    const [key = '', value = ''] = sides.map((side) => side.trim());
    if (sides.length !== 2) throw new ParseError(`invalid selector: [${sides.join(' ')}]`);
    refuse('<nil>', key, qualifiedName(key));
    refuse(`[${key}]`, value, labelValue(value));
    labels.push([key, value]);
  }
  return Object.fromEntries(labels);
}

function refuse(path: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new ParseError(formatFieldError(fieldError.invalid(path, value, problems.join('; '))));
}
