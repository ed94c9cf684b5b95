import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { Client } from '../client/client.js';
import type { ControllerDefinition } from '../controllers/controller.js';
import type { Seeds } from '../controllers/seed.js';
import type { FlowControl, FlowControlOptions } from '../flow-control/flow-control.js';
import type { Dialect } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** The default RBAC roles and bindings, which a server creates at its start. */
export interface ServerRoles {
  /** Creates the roles and bindings, and reconciles existing ones with the defaults. */
  ensure(host: Host, client: Client): Promise<void>;
  /** Returns the objects that `ensure` would create in an empty storage. They are written directly to the storage, without requests. */
  seeds(host: Host): readonly Seeds[];
  /**
   * Returns the service accounts in kube-system that the default role bindings refer to. Controllers with other accounts run as
   * system:masters.
   */
  controllerAccounts(dialect: Dialect): ReadonlySet<string>;
}

/** The plug-ins of a server for options that are absent. An absent member means an empty list or that the feature is off. */
export interface ServerDefaults {
  /** The kinds that are served unless the options say otherwise. Default: none. */
  readonly resources?: readonly ResourceDefinition[];
  /** The controllers that run unless the options say otherwise. Default: none. */
  readonly controllers?: readonly ControllerDefinition[];
  /** The admission plug-ins that are enabled unless the options say otherwise. Default: none. */
  readonly admission?: readonly AdmissionPluginFactory[];
  /** The default roles, such as `defaultRoles`. They are created if roles are served and an authorizer uses them. */
  readonly roles?: ServerRoles;
  /** Creates priority and fairness for servers whose options enable it. */
  readonly flowControl?: (options: FlowControlOptions) => FlowControl | Promise<FlowControl>;
}
