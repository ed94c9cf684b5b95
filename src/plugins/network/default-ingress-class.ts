import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName, groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { defaultClassName } from '../default-class.js';

interface IngressObject extends ApiObject {
  readonly spec: { readonly ingressClassName?: string };
}

/** Gives a new ingress the default class, unless it names a class by its field or the older annotation (spec 17.7). */
export const defaultIngressClass: AdmissionPluginFactory = ({ dialect, lister }) => {
  const group = groupOf(dialect, 'networking');
  const classes = lister<ApiObject>(group, 'ingressclasses');
  const annotation = domainName(dialect, 'ingress.class');
  const mark = `ingressclass.${domainName(dialect, 'is-default-class')}`;
  return {
    name: 'DefaultIngressClass',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && subresource === '' && resource.group === group && resource.resource === 'ingresses',
    admit({ object, isCustom, kind }) {
      if (isCustom) {
        const found = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
        throw apiError.internal(`Expected Ingress resource, got: ${found}`);
      }
      const ingress = object as IngressObject; // handles() lets only ingresses in
      if (ingress.spec.ingressClassName !== undefined || ingress.metadata.annotations?.[annotation] !== undefined)
        return undefined;
      const name = defaultClassName(classes.list(), ({ annotations = {} }) => annotations[mark] === 'true');
      if (name === undefined) return undefined;
      return { ...ingress, spec: { ...ingress.spec, ingressClassName: name } } as ApiObject;
    },
  };
};
