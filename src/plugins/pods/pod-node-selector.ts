import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName } from '../../meta/dialect.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import { labelValue, qualifiedName } from '../../meta/names.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { ParseError } from '../../values/parse-error.js';
import { withSpec } from './pod.js';

/** Node labels, `a=b,c=d`, by namespace: the labels that its pods may select. One key holds the default of all namespaces. */
export type NodeSelectors = Readonly<Record<string, string>>;

const DEFAULT = 'clusterDefaultNodeSelector';
type Labels = Readonly<Record<string, string>>;

const isIn = (whole: Labels, key: string) => Object.hasOwn(whole, key);
const contradict = (a: Labels, b: Labels) => Object.entries(a).some(([key, value]) => isIn(b, key) && b[key] !== value);

/** @throws ApiError 500 for a text that is not a list of labels. */
function read(text: string): Labels {
  try {
    return labelsOfText(text);
  } catch (error) {
    throw apiError.unknown(messageOf(error));
  }
}

/** Restricts pods to the nodes of their namespace, which an annotation of the namespace or the configuration names. */
export const podNodeSelector =
  (selectors: NodeSelectors = {}): AdmissionPluginFactory<Pod> =>
  ({ dialect, lister }) => {
    const namespaces = lister('', 'namespaces');
    const annotation = `scheduler.alpha.${domainName(dialect, 'node-selector')}`;
    const configured = (key: string) => read(isIn(selectors, key) ? (selectors[key] ?? '') : '');

    /** Returns the labels of the namespace. @throws ApiError 403 when the pod's selector contradicts them. */
    function ofNamespace({ namespace, resource, object }: AdmissionAttributes<Pod>): Labels {
      const found = namespaces.get('', namespace);
      if (!found) throw apiError.internal(`namespace ${namespace} does not exist`);
      const text = found.metadata.annotations?.[annotation];
      const labels = text === undefined ? configured(DEFAULT) : read(text);
      const { metadata, spec } = object;
      if (!contradict(labels, spec.nodeSelector ?? {})) return labels;
      const why = 'pod node label selector conflicts with its namespace node label selector';
      throw apiError.forbidden(resource, metadata.name ?? '', why);
    }

    /** @throws ApiError 403 for labels that pods of the namespace may not select. */
    function check({ namespace, resource }: AdmissionAttributes, { metadata, spec }: Pod): void {
      const allowed = configured(namespace);
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
      // The check covers changes that later plug-ins made to the pod.
      validate(attributes) {
        ofNamespace(attributes);
        check(attributes, attributes.object);
      },
    };
  };

/**
 * Parses labels written as `a=b,c=d`, the simplest form of a selector.
 * @throws ParseError for anything else, with the message of the API.
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
