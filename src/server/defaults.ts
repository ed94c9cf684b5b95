import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { Client } from '../client/client.js';
import type { ControllerDefinition, ControllerHost } from '../controllers/controller.js';
import type { Seeds } from '../controllers/seed.js';
import type { FlowControl, FlowControlOptions } from '../flow-control/flow-control.js';
import type { Host } from '../meta/host.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** What a server has where its options do not say otherwise; what is absent is nothing. */
export interface ServerDefaults {
  readonly resources?: readonly ResourceDefinition[];
  readonly controllers?: readonly ControllerDefinition[];
  readonly admission?: readonly AdmissionPluginFactory[];
  /** Makes the default roles, where roles are served and asked: `makeDefaultRoles`. */
  readonly makeRoles?: (host: Host, client: Client) => Promise<void>;
  /** The same for a server that has nothing yet: stored at once. */
  readonly roleSeeds?: (host: Host) => readonly Seeds[] | Promise<readonly Seeds[]>;
  /** Kinds of the default roles: where none is stored, those are made at their first use, or the first decision. Default: at the start. */
  readonly roleKinds?: readonly ResourceDefinition[];
  /** Kinds of which the server makes objects when somebody first asks for the kind. */
  readonly onFirstUse?: readonly {
    readonly kind: ResourceDefinition;
    readonly make: (host: ControllerHost, client: Client) => Promise<void>;
  }[];
  /** What decides which requests are served and which wait, where the options ask for it, and the kinds that say how. */
  readonly flowControl?: {
    readonly make: (options: FlowControlOptions) => FlowControl | Promise<FlowControl>;
    readonly kinds: readonly ResourceDefinition[];
  };
}
