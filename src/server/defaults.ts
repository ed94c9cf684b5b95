import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { Client } from '../client/client.js';
import type { ControllerDefinition } from '../controllers/controller.js';
import type { Seeds } from '../controllers/seed.js';
import type { FlowControl, FlowControlOptions } from '../flow-control/flow-control.js';
import type { Dialect } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** The roles that a start creates. */
export interface ServerRoles {
  /** Creates the roles and bindings, or brings stored ones in line. */
  ensure(host: Host, client: Client): Promise<void>;
  /** Returns the same objects for an empty storage, where they are stored without requests. */
  seeds(host: Host): readonly Seeds[];
  /** Returns the service accounts in kube-system that the bindings name. Controllers with other names run as system:masters. */
  controllerAccounts(dialect: Dialect): ReadonlySet<string>;
}

/** The plug-ins of a server whose options do not set them; absent members mean an empty list or an absent feature. */
export interface ServerDefaults {
  readonly resources?: readonly ResourceDefinition[];
  readonly controllers?: readonly ControllerDefinition[];
  readonly admission?: readonly AdmissionPluginFactory[];
  /** The default roles, made if roles are served and an authorizer uses them: `defaultRoles`. */
  readonly roles?: ServerRoles;
  /** Makes flow control, for servers whose options enable it. */
  readonly flowControl?: (options: FlowControlOptions) => FlowControl | Promise<FlowControl>;
}
