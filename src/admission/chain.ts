import { apiError } from '../meta/api-error.js';
import { type Flow, settled } from '../meta/flow.js';
import type { GroupResource } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { deepFreeze } from '../store/freeze.js';
import type { AdmissionAttributes, AdmissionPlugin } from './admission-plugin.js';
import { namesRequest } from './matching/rule.js';
import type { AdmissionMeter } from './measured-admission.js';
import { LazyPlugin } from './ruled-plugin.js';

/** The admission plug-ins of a server. */
export interface ServerAdmission {
  /** The plug-ins in the order in which they run. If there is a `meter`, each plug-in was wrapped by {@link AdmissionMeter.plugin}. */
  readonly plugins: readonly (AdmissionPlugin | LazyPlugin)[];
  readonly meter?: AdmissionMeter;
}

/** The admission plug-ins for requests for one resource, in order. */
export class AdmissionChain {
  readonly #server: ServerAdmission;
  readonly #resource: GroupResource;
  /** The plug-ins by operation and subresource. The map is created by the first request. */
  #handling: Map<string, readonly AdmissionPlugin[]> | undefined;

  constructor(server: ServerAdmission, resource: GroupResource) {
    this.#server = server;
    this.#resource = resource;
  }

  /** Whether the server has plug-ins that check CONNECT requests. */
  get connects(): boolean {
    return this.#server.plugins.some(({ connects }) => connects);
  }

  /**
   * Runs the mutating phase: each plug-in that handles the request may replace the object, in order. When a plug-in requests reinvocation,
   * all plug-ins run a second time.
   * @returns the object as the last plug-in left it; undefined on DELETE.
   */
  admit(attributes: AdmissionAttributes): Flow<ApiObject | undefined> {
    const plugins = this.#pluginsFor(attributes);
    const { meter } = this.#server;
    if (!meter) return admitInRounds(plugins, attributes);
    return meter.phase('admit', attributes.operation, admitInRounds(plugins, attributes));
  }

  /** Runs the validating phase, which ends at the first refusal. */
  validate(attributes: AdmissionAttributes): Flow<void> {
    const plugins = this.#pluginsFor(attributes);
    const { meter } = this.#server;
    if (!meter) return validateInTurn(plugins, attributes);
    return meter.phase('validate', attributes.operation, validateInTurn(plugins, attributes));
  }

  /** Runs the checks at the moment a new object is stored. @throws ApiError when a plug-in refuses the object. */
  checkAtCommit(attributes: AdmissionAttributes): void {
    for (const plugin of this.#pluginsFor(attributes)) {
      if (!plugin.atCommit) continue;
      try {
        if (plugin.handles?.(attributes) !== false) plugin.atCommit(attributes);
      } catch (error) {
        attributes.observer?.refused(plugin.name);
        throw error;
      }
    }
  }

  /** Returns the plug-ins whose rules name the operation and the subresource. The result is cached. */
  #pluginsFor({ operation, subresource }: AdmissionAttributes): readonly AdmissionPlugin[] {
    const key = `${operation} ${subresource}`;
    this.#handling ??= new Map();
    let found = this.#handling.get(key);
    if (!found) {
      const handling = this.#server.plugins.filter(
        ({ rules, connects = false }) =>
          (connects || operation !== 'CONNECT') &&
          (rules?.some((rule) => namesRequest(rule, { operation, subresource }, this.#resource)) ?? true),
      );
      found = handling.map((each) => (each instanceof LazyPlugin ? each.plugin : each));
      this.#handling.set(key, found);
    }
    return found;
  }
}

/** The empty chain, for writes that the server itself makes. */
export const NO_ADMISSION = new AdmissionChain({ plugins: [] }, { group: '', resource: '' });

/**
 * Prepares the call of a plug-in. The object is frozen, so that a plug-in that modifies it instead of returning a changed copy always
 * throws.
 * @throws ApiError 400 when a dry run would call a plug-in with side effects (spec 3.11).
 */
function prepareCall(plugin: AdmissionPlugin, attributes: AdmissionAttributes): void {
  if (attributes.dryRun && plugin.sideEffects)
    throw apiError.badRequest(`admission plugin "${plugin.name}" does not support dry run`);
  if (attributes.object !== undefined) deepFreeze(attributes.object);
}

function* admitInRounds(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): Flow<ApiObject | undefined> {
  let asked = false;
  const rounds = {
    again: false,
    kept: new Map<AdmissionPlugin, unknown>(),
    askAgain() {
      asked = !rounds.again;
    },
  };
  let current = attributes;
  do {
    rounds.again = asked;
    asked = false;
    for (const plugin of plugins) {
      if (!plugin.admit) continue;
      try {
        if (plugin.handles?.(current) === false) continue;
        prepareCall(plugin, current);
        const object = yield* settled(plugin.admit(current, rounds));
        if (object === undefined || object === current.object) continue;
        current = { ...current, object };
      } catch (error) {
        current.observer?.refused(plugin.name);
        throw error;
      }
      current.observer?.mutated(plugin.name);
    }
  } while (asked);
  return current.object;
}

function* validateInTurn(plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): Flow<void> {
  for (const plugin of plugins) {
    if (!plugin.validate) continue;
    try {
      if (plugin.handles?.(attributes) === false) continue;
      prepareCall(plugin, attributes);
      yield* settled(plugin.validate(attributes));
    } catch (error) {
      attributes.observer?.refused(plugin.name);
      throw error;
    }
  }
}
