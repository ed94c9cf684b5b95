import { apiError } from '../../meta/api-error.js';
import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { BUILTIN_PATCH_KINDS, CUSTOM_PATCH_KINDS, patchKindOf } from '../../patch/media-types.js';
import { applyTo, readApply } from '../bodies/apply-body.js';
import { bodyBytes } from '../bodies/body.js';
import { readWriteOptions, type WriteOptions } from '../bodies/options.js';
import { readPatch } from '../bodies/patch-body.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { matchName, matchNamespace } from './name-checks.js';
import { writeContext } from './write-context.js';

/** PATCH: changes an object by a description of the change (spec 5.1). */
export async function handlePatch(exchange: Exchange, route: Route): Promise<Result> {
  const { environment, query, request } = exchange;
  const { resource } = route.store;
  const accepted = resource.definition.decoding === 'typed' ? BUILTIN_PATCH_KINDS : CUSTOM_PATCH_KINDS;
  const kind = patchKindOf(request.headers.get('content-type'), accepted);
  const bytes = await bodyBytes(exchange);
  const options = readWriteOptions(query, 'Patch', environment.dialect, kind === 'apply');
  if (kind === 'apply') return await apply(exchange, route, bytes, options);

  const { store, namespace, name, subresource } = route;
  const patch = readPatch(exchange, resource, kind, bytes, options.fieldValidation);
  const { object } = await store.update(
    writeContext(exchange, options),
    { namespace, name, subresource },
    (current) => {
      if (!current) throw apiError.notFound(resource.groupResource, name);
      const next = matchNamespace(resource, patch(current), namespace);
      matchName(next, name);
      return next;
    },
    { mayCreate: false },
    options,
  );
  return { type: 'object', status: 200, object, resource };
}

async function apply(exchange: Exchange, route: Route, bytes: Uint8Array, options: WriteOptions): Promise<Result> {
  const { store, namespace, name, subresource } = route;
  const { resource } = store;
  const body = await readApply(bytes, options.fieldValidation, exchange.pause);
  if (exchange.pause) await exchange.pause();
  // Only the first attempt waits between its steps: the next ones cannot be overtaken any more.
  let { pause } = exchange;
  const placed = (merged: ApiObject) => {
    const next = matchNamespace(resource, merged, namespace);
    matchName(next, name);
    return next;
  };
  const { object, created } = await store.update(
    writeContext(exchange, options),
    { namespace, name, subresource },
    (current) => {
      if (!current && body.uid !== '')
        throw apiError.conflict(
          resource.groupResource,
          name,
          `uid mismatch: the provided object specified uid ${body.uid}, and no existing object was found`,
        );
      const steps = applyTo(exchange, resource, body, current, {
        manager: options.fieldManager,
        force: options.force,
        subresource,
        fieldValidation: options.fieldValidation,
        pause,
      });
      pause = undefined;
      const merged = run(steps);
      return merged instanceof Promise ? merged.then(placed) : placed(merged);
    },
    { mayCreate: subresource === '', ownsFields: true },
    options,
  );
  return { type: 'object', status: created ? 201 : 200, object, resource };
}
