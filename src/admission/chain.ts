import { apiError } from '../meta/api-error.js';
import { type Flow, settled } from '../meta/flow.js';
import type { ApiObject } from '../meta/object-meta.js';
import { deepFreeze } from '../store/freeze.js';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRounds } from './admission-plugin.js';
import type { AdmissionMeter } from './measured-admission.js';

const handles = (plugin: AdmissionPlugin, attributes: AdmissionAttributes) => plugin.handles?.(attributes) ?? true;

/** Freezes objects of every size, so that a plug-in that changes its input fails at once and not only with large objects. */
function freezeObject({ object }: AdmissionAttributes): void {
  if (object !== undefined) deepFreeze(object);
}

/** @throws ApiError 400 when a dry run would call a plug-in with outside effects (spec 3.11). */
function refuseSideEffects(plugin: AdmissionPlugin, attributes: AdmissionAttributes): void {
  if (attributes.dryRun && plugin.sideEffects)
    throw apiError.badRequest(`admission plugin "${plugin.name}" does not support dry run`);
}

class Rounds implements AdmissionRounds {
  again = false;
  asked = false;
  #state: Map<AdmissionPlugin, unknown> | undefined;

  /** The map is created on first use, because few plug-ins keep anything. */
  get kept(): Map<AdmissionPlugin, unknown> {
    this.#state ??= new Map();
    return this.#state;
  }
  askAgain(): void {
    this.asked = !this.again;
  }
}

/** The meters of measured chains. */
const METERS = new WeakMap<readonly AdmissionPlugin[], AdmissionMeter>();

/** Returns a chain with the same plug-ins, each of them measured. */
export function measuredChain(plugins: readonly AdmissionPlugin[], meter: AdmissionMeter): readonly AdmissionPlugin[] {
  const measured = plugins.map((plugin) => meter.plugin(plugin));
  METERS.set(measured, meter);
  return measured;
}

/** Returns the plug-ins of a chain that also check connections. They are metered if the chain is. */
export function connectingPlugins(chain: readonly AdmissionPlugin[]): readonly AdmissionPlugin[] {
  const plugins = chain.filter(({ connects }) => connects);
  const meter = METERS.get(chain);
  if (meter) METERS.set(plugins, meter);
  return plugins;
}

/** Runs one half of admission, measured if its chain is. */
function* inStep<T>(
  plugins: readonly AdmissionPlugin[],
  half: 'admit' | 'validate',
  { operation }: AdmissionAttributes,
  flow: Flow<T>,
): Flow<T> {
  const ended = METERS.get(plugins)?.step(half, operation);
  try {
    const result = yield* flow;
    ended?.(false);
    return result;
  } catch (error) {
    ended?.(true);
    throw error;
  }
}

/**
 * Runs the mutating phase: each plug-in that handles the request may replace the object, in order. When one requests it, all run a second
 * time.
 * @returns the object as the last plug-in left it; undefined on DELETE.
 */
export function runAdmit(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): Flow<ApiObject | undefined> {
  return inStep(plugins, 'admit', attributes, admitInRounds(plugins, attributes));
}

function* admitInRounds(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): Flow<ApiObject | undefined> {
  const rounds = new Rounds();
  const first = yield* admitAll(plugins, attributes, rounds);
  if (!rounds.asked) return first.object;
  rounds.again = true;
  return (yield* admitAll(plugins, first, rounds)).object;
}

function* admitAll(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
  rounds: Rounds,
): Flow<AdmissionAttributes> {
  let current = attributes;
  for (const plugin of plugins) {
    if (!plugin.admit || !handles(plugin, current)) continue;
    refuseSideEffects(plugin, current);
    freezeObject(current);
    const object = yield* settled(plugin.admit(current, rounds));
    if (object !== undefined && object !== current.object) current = { ...current, object };
  }
  return current;
}

/** Runs the validating phase, which ends at the first refusal. */
export function runValidate(plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): Flow<void> {
  return inStep(plugins, 'validate', attributes, validateInTurn(plugins, attributes));
}

/** Runs the checks at the moment a new object is stored. @throws ApiError */
export function runAtCommit(plugins: readonly AdmissionPlugin[], attributes: () => AdmissionAttributes): void {
  const committing = plugins.filter(({ atCommit }) => atCommit);
  if (committing.length === 0) return;
  const current = attributes();
  for (const plugin of committing) if (handles(plugin, current)) plugin.atCommit?.(current);
}

function* validateInTurn(plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): Flow<void> {
  for (const plugin of plugins) {
    if (!plugin.validate || !handles(plugin, attributes)) continue;
    refuseSideEffects(plugin, attributes);
    freezeObject(attributes);
    yield* settled(plugin.validate(attributes));
  }
}
