import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { domainName, groupOf } from '../../meta/dialect.js';
import type { Ingress } from '../../resources/networking/networking-v1.types.js';
import { defaultClassName } from '../default-class.js';

/** Sets the default class of a new ingress, unless the ingress names a class in its field or in the older annotation (spec 17.7). */
export const defaultIngressClass = ruledPlugin<Ingress>({
  name: 'DefaultIngressClass',
  rules: [{ operations: ['CREATE'], apiGroups: ['networking'], resources: ['ingresses'] }],
  create({ dialect, lister }) {
    const classes = lister(groupOf(dialect, 'networking'), 'ingressclasses');
    const annotation = domainName(dialect, 'ingress.class');
    const mark = `ingressclass.${domainName(dialect, 'is-default-class')}`;
    return {
      admit({ object: ingress, isCustom, kind }) {
        if (isCustom) {
          const received = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
          throw apiError.internal(`Expected Ingress resource, got: ${received}`);
        }
        if (ingress.spec.ingressClassName !== undefined || ingress.metadata.annotations?.[annotation] !== undefined)
          return undefined;
        const name = defaultClassName(classes.list(), ({ annotations = {} }) => annotations[mark] === 'true');
        return name === undefined ? undefined : { ...ingress, spec: { ...ingress.spec, ingressClassName: name } };
      },
    };
  },
});
