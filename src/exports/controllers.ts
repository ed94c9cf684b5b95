/** `orch-apiserver/controllers`: the default controllers, and the interface for controllers of your own. */
export { WorkQueue } from '../client/work-queue.js';
export type {
  AdvertisedAddress,
  ControllerContext,
  ControllerDefinition,
  ControllerHost,
  PendingKey,
} from '../controllers/controller.js';
export { defaultControllers } from '../controllers/default-controllers.js';
export { defaultRoles } from '../controllers/roles/default-roles.js';
export type { ServerAuthorities } from '../controllers/server-authorities.js';
export type { AccountTokens, KeySet, TokenIssuer } from '../tokens/account-tokens.js';
export type { PublicJwk, TokenAlgorithm, TokenKey } from '../tokens/token-key.js';
