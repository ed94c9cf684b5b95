import type { JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Status } from '../../meta/status.js';
import { readTypeMeta } from '../../meta/type-meta.js';
import { createSelection } from '../../registry/reads/selection.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { unknownKind } from '../../registry/type-problems.js';
import { type DeleteOptions, readDeleteBody } from '../../registry/writes/delete-options.js';
import { decodeTyped } from '../../schema/decode.js';
import { metaSchema } from '../../schema/meta-kinds.js';
import { membersFor, type ReadDocument } from '../../serialization/format.js';
import { bodyBytes, bodyFormat, decodeProblem, sentObject } from '../bodies/body.js';
import { readDeleteQuery, readListOptions } from '../bodies/options.js';
import { type Exchange, noteDocument } from '../exchange.js';
import type { Result } from '../result.js';
import type { Route } from '../route.js';
import { readContext } from './write-context.js';

/** Handles the DELETE of one object (spec 7.2, 7.4). */
export async function handleDelete(exchange: Exchange, { store, namespace, name }: Route): Promise<Result> {
  const { resource } = store;
  const { options, dryRun } = await readDeleteOptions(exchange);
  const context = readContext(exchange, dryRun);
  const { object, removed } = await store.delete(context, namespace, name, options);
  // The status is 202 if the client requests the deletion of dependents and the object still exists, as in upstream.
  const status = !removed && options.orphanDependents === false ? 202 : 200;
  if (!removed || resource.definition.returnsDeletedObject) return { type: 'object', status, object, resource };
  return { type: 'status', status, object: deletedStatus(resource, object) };
}

function deletedStatus({ gvr }: ServedResource, { metadata }: ApiObject): Status {
  const { name = '', uid } = metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(gvr.group === '' ? {} : { group: gvr.group }),
      kind: gvr.resource,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

/** Handles the DELETE of a collection (spec 7.5). The API dialect determines whether the response is a list or a Status. */
export async function handleDeleteCollection(exchange: Exchange, { store, namespace }: Route): Promise<Result> {
  const { environment, query, caller } = exchange;
  const list = readListOptions(query, environment.host);
  const selection = createSelection(store.resource, list.selectors);
  const { options, dryRun } = await readDeleteOptions(exchange);
  const context = readContext(exchange, dryRun);
  const parameters = { ...list, namespace, selection };
  const { metadata, items } = await store.deleteCollection(
    context,
    parameters,
    options,
    caller?.deletesWithoutAdmission,
  );
  if (environment.host.dialect.rulings.deleteCollectionAnswer === 'list')
    return { type: 'list', resource: store.resource, metadata, items };
  const { group, resource } = store.resource.gvr;
  const details = { ...(group === '' ? {} : { group }), kind: resource };
  return {
    type: 'status',
    status: 200,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
  };
}

/**
 * Reads the options of a deletion: from the body if there is one, else from the query (spec 7.2).
 * @throws ApiError 413, 415, 400, 422, and 500 (a Status without `reason`) for a body that cannot be decoded.
 */
async function readDeleteOptions(
  exchange: Exchange,
): Promise<{ readonly options: DeleteOptions; readonly dryRun: boolean }> {
  const { environment, query } = exchange;
  const { dialect } = environment.host;
  const bytes = await bodyBytes(exchange);
  const value = sentObject(exchange);
  if (bytes.length === 0 && !value) return readDeleteQuery(query, dialect);
  const format = bodyFormat(exchange);
  try {
    const parsed: ReadDocument = format ? await format.read(bytes, { duplicates: true }) : { value, duplicates: [] };
    const options = decodeOptions(exchange, parsed, readTypeMeta(parsed.value));
    noteOptions(exchange, options);
    return readDeleteBody(options, dialect);
  } catch (error) {
    throw apiError.unknown(decodeProblem(error));
  }
}

/** Records the options in the audit events with the API version `meta.k8s.io/__internal` (in the k8s dialect), as upstream does. */
function noteOptions(exchange: Exchange, { kind: _kind, apiVersion: _version, ...options }: JsonObject) {
  if (!exchange.audit && !exchange.observer) return;
  const apiVersion = `${groupOf(exchange.environment.host.dialect, 'meta')}/__internal`;
  noteDocument(exchange, { value: { kind: 'DeleteOptions', apiVersion, ...options } });
}

/** The Go source position at which upstream registers the options of requests. An error message quotes it. */
const OPTIONS_SCHEME = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';

/**
 * Decodes DeleteOptions of any group and version.
 * @throws DecodeError, ApiError 500.
 */
function decodeOptions(
  { environment }: Exchange,
  document: ReadDocument,
  { kind, apiVersion }: ReturnType<typeof readTypeMeta>,
): JsonObject {
  if (kind !== '' && kind !== 'DeleteOptions') {
    const { dialect } = environment.host;
    throw apiError.unknown(unknownKind(kind, apiVersion || `${groupOf(dialect, 'meta')}/v1`, OPTIONS_SCHEME, dialect));
  }
  const schema = metaSchema('DeleteOptions');
  const { value, ...numbers } = membersFor(document, schema);
  return decodeTyped(schema, value, numbers).value;
}
