import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { Client } from '../client/client.js';
import type { ControllerDefinition } from '../controllers/controller.js';
import type { Seeds } from '../controllers/seed.js';
import type { FlowControl, FlowControlOptions } from '../flow-control/flow-control.js';
import type { Host } from '../meta/host.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** The plug-ins of a server whose options do not set them; absent members mean an empty list or an absent feature. */
export interface ServerDefaults {
  readonly resources?: readonly ResourceDefinition[];
  readonly controllers?: readonly ControllerDefinition[];
  readonly admission?: readonly AdmissionPluginFactory[];
  /** Makes the default roles, if roles are served and an authorizer uses them: `makeDefaultRoles`. */
  readonly makeRoles?: (host: Host, client: Client) => Promise<void>;
  /** Returns the default roles for an empty storage, where they can be stored directly. */
  readonly roleSeeds?: (host: Host) => readonly Seeds[] | Promise<readonly Seeds[]>;
  /** Makes flow control, for servers whose options enable it. */
  readonly flowControl?: (options: FlowControlOptions) => FlowControl | Promise<FlowControl>;
}
