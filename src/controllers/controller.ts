import type { Authorizer } from '../authorization/authorizer.js';
import type { Client } from '../client/client.js';
import { QueueMeter } from '../client/queue-metrics.js';
import { WorkQueue } from '../client/work-queue.js';
import { isConflict } from '../meta/api-error.js';
import type { Host } from '../meta/host.js';
import { isCounted } from '../metrics/metrics.js';
import type { DefinitionChange } from '../registry/served/next-snapshot.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import { messageOf } from '../values/message-of.js';
import type { ServerAuthorities } from './server-authorities.js';

/** The kinds of a running server, which may come and go. */
export interface ServedKinds {
  /** Uninstalls and installs in one step. @throws TypeError when two definitions claim the same names; then nothing has changed. */
  change(change: DefinitionChange): unknown;
}

/** Where others reach a server. */
export interface AdvertisedAddress {
  readonly address: string;
  readonly port: number;
}

/** What controllers see of the server they are part of. */
export interface ControllerHost extends Host {
  readonly kinds: ServedKinds;
  /** The server's whole authorization: it judges like that of every request. */
  readonly authorizer: Authorizer;
  /** Who makes the tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  readonly authorities: ServerAuthorities;
  /** Where the server's own Service leads; undefined: nowhere. */
  readonly advertised?: AdvertisedAddress;
  /** Calls back when a token kept in a secret was used; returns what stops it. */
  onSecretTokenUse(callback: (namespace: string, secret: string) => void): () => void;
}

/** What a controller works with. It changes the server through the client only. */
export interface ControllerContext {
  readonly host: ControllerHost;
  /** Acts as the controller's own account, with the manager's name as field manager. */
  readonly client: Client;
  readonly queue: WorkQueue;
}

/** A loop that brings what is in line with what should be, one key at a time. */
export interface ControllerDefinition {
  /** Unique in a server. */
  readonly name: string;
  /** The account it acts as, of the namespace kube-system. Default its name. */
  readonly account?: string;
  /** Is a part of the server itself: acts as it. Default false. */
  readonly ofServer?: boolean;
  /** The reference's names for it, by which it can be switched off or on. Default: it always runs. */
  readonly switchedBy?: readonly string[];
  /** Others begin when it has nothing left to do. Default false. */
  readonly isFirst?: boolean;
  /** Runs only where it is named. Default false. */
  readonly onRequest?: boolean;
  /** Begins to follow what it looks after: puts keys into the queue now and at every change. Returns what stops that. */
  follow(context: ControllerContext): () => void;
  /** Does what one key needs; may run again for the same key. What it throws is tried again later. */
  reconcile(key: string, context: ControllerContext): Promise<void>;
}

/** A controller as part of a server. */
export class RunningController {
  readonly name: string;
  readonly #definition: ControllerDefinition;
  readonly #context: ControllerContext;
  readonly #stop: () => void;
  #run: Promise<void> | undefined;

  constructor(definition: ControllerDefinition, host: ControllerHost, client: Client, onWork: () => void) {
    this.name = definition.name;
    this.#definition = definition;
    const queue = new WorkQueue(
      host.clock,
      isCounted(host.metrics) ? new QueueMeter(definition.name, host) : undefined,
    );
    queue.onWork = onWork;
    this.#context = { host, client, queue };
    this.#stop = definition.follow(this.#context);
  }

  /** Whether keys wait. */
  get hasWork(): boolean {
    return this.#context.queue.size > 0 || this.#run !== undefined;
  }

  /** Does what waits, until nothing does. Failures are reported and tried again later. */
  step(): Promise<void> {
    this.#run ??= this.#work().finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  async #work(): Promise<void> {
    const { queue, host } = this.#context;
    for (let key = queue.take(); key !== undefined; key = queue.take()) {
      try {
        await this.#definition.reconcile(key, this.#context);
        queue.forget(key);
      } catch (error) {
        if (!isConflict(error)) host.log(`controller ${this.name}: ${key}: ${messageOf(error)}`);
        queue.retry(key);
      }
    }
  }

  close(): void {
    this.#stop();
    this.#context.queue.close();
  }
}
