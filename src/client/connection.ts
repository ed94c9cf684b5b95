import type { Clock } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import type { ApiObject, ListMeta } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { Status } from '../meta/status.js';
import type { WatchEvent } from '../registry/reads/resource-watch.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { ApiRequest } from '../requests/api-request.js';

/** The way in which a client reaches its server. */
export interface ClientConnection {
  /** The dialect of the server. */
  readonly dialect: Dialect;
  /** The clock for waits of the client: in process the server's clock. */
  readonly clock: Clock;
  /** The source of the random part of waits. */
  readonly random: Random;
  /** Whether bodies are sent to a server, which requires that custom resources contain their kind and apiVersion. Default false. */
  readonly isRemote?: boolean;
  /**
   * Runs a request as the client's user.
   * @throws ApiError
   */
  execute(request: ApiRequest): Promise<ClientAnswer>;
  /** Returns all kinds that the server stores. */
  resources(): readonly ServedResource[];
  /**
   * Calls `callback` whenever kinds have been added or removed.
   * @returns a function that stops the calls.
   */
  onResourcesChange(callback: (change: ResourcesChange | undefined) => void): () => void;
}

/** The kinds that a server has added and removed, with an entry for each of their versions. A kind that was replaced is in both lists. */
export interface ResourcesChange {
  readonly added: readonly ServedResource[];
  readonly removed: readonly ServedResource[];
}

/** The members of a response that a client reads. */
export type ClientAnswer =
  | { readonly type: 'object'; readonly object: ApiObject }
  | { readonly type: 'status'; readonly object: Status }
  /** Every item has its kind and apiVersion. */
  | { readonly type: 'list'; readonly metadata: ListMeta; readonly items: readonly ApiObject[] }
  | { readonly type: 'watch'; readonly watch: AsyncIterable<WatchEvent> & { close(): void } }
  | { readonly type: 'document' | 'raw' };
