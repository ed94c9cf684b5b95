import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { Client } from '../client/client.js';
import type { ControllerDefinition, ControllerHost } from '../controllers/controller.js';
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
  /**
   * Kinds of the default roles. If none of them is stored, the roles are made on first use of these kinds, or for the first authorization.
   * Default: at the start.
   */
  readonly roleKinds?: readonly ResourceDefinition[];
  /** Kinds of which the server makes objects when the kind is first requested. */
  readonly onFirstUse?: readonly {
    readonly kind: ResourceDefinition;
    readonly make: (host: ControllerHost, client: Client) => Promise<void>;
  }[];
  /** Makes flow control, for servers whose options enable it, and lists the kinds that configure it. */
  readonly flowControl?: {
    readonly make: (options: FlowControlOptions) => FlowControl | Promise<FlowControl>;
    readonly kinds: readonly ResourceDefinition[];
  };
}
