import type { Dialect } from '../../meta/dialect.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { READ, READ_WRITE, ruleWriter, WRITE } from './rule-writer.js';

/** Returns the rules of the roles for users, and of the roles that admin, edit and view are aggregated from (spec 13.9). */
export function userFacingRoles(dialect: Dialect): Readonly<Record<string, readonly PolicyRule[]>> {
  const { allow, paths } = ruleWriter(dialect);
  return {
    'cluster-admin': [allow('*', '*', '*'), paths('*', '*')],
    'system:aggregate-to-admin': [
      allow('create', 'authorization.', 'localsubjectaccessreviews'),
      allow(READ_WRITE, 'rbac.authorization.', 'rolebindings roles'),
    ],
    'system:aggregate-to-edit': [
      allow(READ, 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      allow('impersonate', 'core', 'serviceaccounts'),
      allow(WRITE, 'core', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
      allow('create', 'core', 'pods/eviction'),
      allow(
        WRITE,
        'core',
        'configmaps endpoints events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      ),
      allow('create', 'core', 'serviceaccounts/token'),
      allow(
        WRITE,
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      allow(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
      allow(WRITE, 'batch', 'cronjobs jobs'),
      allow(
        WRITE,
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      allow(WRITE, 'policy', 'poddisruptionbudgets'),
      allow(WRITE, 'networking.', 'ingresses networkpolicies'),
      allow(READ_WRITE, 'coordination.', 'leases'),
    ],
    'system:aggregate-to-view': [
      allow(
        READ,
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      allow(
        READ,
        'core',
        'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      allow(READ, 'core', 'namespaces'),
      allow(READ, 'discovery.', 'endpointslices'),
      allow(
        READ,
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      allow(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      allow(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      allow(
        READ,
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      allow(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      allow(READ, 'networking.', 'ingresses ingresses/status networkpolicies'),
    ],
  };
}

/**
 * The aggregated roles by name. Each collects the rules of the roles that have the label `aggregate-to-<its name>`. The value is the name
 * of the aggregated role that includes this one, or undefined if there is none.
 */
export const AGGREGATED_ROLES: Readonly<Record<string, string | undefined>> = {
  admin: undefined,
  edit: 'admin',
  view: 'edit',
};

/**
 * The roles that are collected by aggregated roles. The key is the role's name; the value is the `<role>` in its label
 * `aggregate-to-<role>`.
 */
export const PARTS: Readonly<Record<string, string>> = {
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};
