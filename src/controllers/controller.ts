import type { ApiServices } from '../aggregation/api-services.js';
import type { Backends } from '../aggregation/backends.js';
import type { RemoteOpenApi } from '../aggregation/remote-openapi.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { Client } from '../client/client.js';
import { QueueMeter } from '../client/queue-metrics.js';
import { WorkQueue } from '../client/work-queue.js';
import { isConflict } from '../meta/api-error.js';
import { giveWay } from '../meta/flow.js';
import type { Host } from '../meta/host.js';
import { isCounted } from '../metrics/metrics.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RegistryChange } from '../registry/resource-registry.js';
import type { DefinitionChange } from '../registry/served/next-snapshot.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import { messageOf } from '../values/message-of.js';
import type { Seeds } from './seed.js';
import type { ServerAuthorities } from './server-authorities.js';

/** The kinds of a running server, which may come and go. */
export interface ServedKinds {
  readonly current: RegistrySnapshot;
  /** Calls back after every change; returns what stops it. */
  onChange(callback: (change: RegistryChange) => void): () => void;
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
  /** The group versions that are registered, and the servers that have those of others. */
  readonly apiServices: ApiServices;
  readonly backends: Backends;
  /** What those servers say of themselves in OpenAPI. */
  readonly openApi: RemoteOpenApi;
  /** The server's whole authorization: it judges like that of every request. */
  readonly authorizer: Authorizer;
  /** Who makes the tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  readonly authorities: ServerAuthorities;
  /** Where the server's own Service leads; undefined: nowhere. */
  readonly advertised?: AdvertisedAddress;
  /** The name of the machine that the server runs on. */
  readonly hostname: string;
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
  /** Kinds: it begins when somebody first asks for one of them, at the start where such objects are stored. Default: at the start. */
  readonly onFirstUseOf?: readonly ResourceDefinition[];
  /**
   * What it would make at the start of a server that has nothing yet. Such objects are stored past requests and admission, as the
   * controller's own writes would make them; `follow` finds them.
   */
  readonly seeds?: (host: ControllerHost) => readonly Seeds[] | Promise<readonly Seeds[]>;
  /** Keys that are worked on at the same time, for controllers that wait for others. Default 1. */
  readonly atATime?: number;
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
  readonly #busy = new Set<string>();
  readonly #again = new Set<string>();
  #run: Promise<void> | undefined;
  /** Begins work on keys that came meanwhile. */
  #fill: (() => void) | undefined;

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
    this.#fill?.();
    this.#run ??= this.#work().finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  /** Works until no key waits: those that come meanwhile are taken as soon as one of the workers is free. */
  #work(): Promise<void> {
    const { atATime = 1 } = this.#definition;
    return new Promise((resolve) => {
      this.#fill = () => {
        while (this.#busy.size < atATime) {
          const key = this.#next();
          if (key === undefined) break;
          this.#busy.add(key);
          void this.#one(key).then(() => {
            this.#busy.delete(key);
            if (this.#again.delete(key)) this.#context.queue.add(key);
            this.#fill?.();
          });
        }
        if (this.#busy.size > 0) return;
        this.#fill = undefined;
        resolve();
      };
      this.#fill();
    });
  }

  /** A key that is not being worked on; others come again when their work is done. */
  #next(): string | undefined {
    const { queue } = this.#context;
    let key = queue.take();
    for (; key !== undefined && this.#busy.has(key); key = queue.take()) this.#again.add(key);
    return key;
  }

  async #one(key: string): Promise<void> {
    const { queue, host } = this.#context;
    try {
      await this.#definition.reconcile(key, this.#context);
      queue.forget(key);
    } catch (error) {
      if (!isConflict(error)) host.log(`controller ${this.name}: ${key}: ${messageOf(error)}`);
      queue.retry(key);
    }
    await giveWay();
  }

  close(): void {
    this.#stop();
    this.#context.queue.close();
  }
}
