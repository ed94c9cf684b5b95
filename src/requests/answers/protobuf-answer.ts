import type { GroupVersionKind } from '../../meta/group-version.js';
import type { WatchEvent } from '../../registry/resource-watch.js';
import type { ServedResource } from '../../registry/served-resource.js';
import { type MetaSchemaName, metaSchema } from '../../schema/meta-kinds.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import type { ObjectSchema } from '../../schema/schema.js';
import { schemaOf } from '../../schema/zod-to-schema.js';
import {
  checkProtobufForm,
  encodeProtobuf,
  encodeProtobufFrame,
  encodeProtobufList,
  type TypedObject,
} from '../../serialization/protobuf/documents.js';
import type { Exchange } from '../exchange.js';
import { listHead, type Result } from '../result.js';
import { negotiated } from './negotiate-route.js';
import { transformed, watchTransform } from './transform.js';

/** An answer as a protobuf document (spec 9.8). @throws ApiError 406 for what has no such form. */
export function encodeProtobufResult(
  exchange: Exchange,
  result: Exclude<Result, { type: 'raw' | 'watch' }>,
): Uint8Array {
  if (result.type === 'document') return encodeDocument(result.document as TypedObject); // discovery's have a kind
  if (result.type === 'status') return encodeStatus(result.object);
  const { transform } = negotiated(exchange);
  const { schema } = result.resource.definition;
  if (transform === undefined)
    return result.type === 'list'
      ? encodeProtobufList(listHead(result), result.items, schema)
      : encodeProtobuf(result.object, schema);
  const partial = transformed(exchange, result, transform) as TypedObject; // Tables have no such form: no clause fits
  return 'items' in partial
    ? encodeProtobufList(partial as PartialList, (partial as PartialList).items, partialSchema())
    : encodeProtobuf(partial, partialSchema());
}

type PartialList = ReturnType<typeof listHead> & { readonly items: readonly object[] };

/** A Status as a protobuf document. */
export function encodeStatus(status: TypedObject): Uint8Array {
  return encodeProtobuf(status, metaSchema('Status'));
}

const encodeDocument = (document: TypedObject) => encodeProtobuf(document, metaSchema(document.kind as MetaSchemaName));

/**
 * What makes the events of a watch frames of a protobuf stream (spec 9.10).
 * @throws ApiError 406 for kinds without such a form
 */
export function protobufFrames(
  exchange: Exchange,
  resource: ServedResource,
  transform: GroupVersionKind | undefined,
): (event: WatchEvent) => Uint8Array {
  const { schema } = resource.definition;
  if (transform === undefined) checkProtobufForm(schema);
  const shown = transform && watchTransform(exchange, resource, transform);
  return (event) => {
    if (event.type === 'ERROR') return encodeProtobufFrame(event.type, encodeStatus(event.object));
    const document = shown
      ? encodeProtobuf(shown(event) as TypedObject, partialSchema()) // an object's metadata
      : encodeProtobuf(event.object, schema);
    return encodeProtobufFrame(event.type, document);
  };
}

let partial: ObjectSchema | undefined;

function partialSchema(): ObjectSchema {
  if (partial !== undefined) return partial;
  const schema = schemaOf(topLevel('io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata', {}));
  if (schema.type !== 'object') throw new TypeError('metadata alone is an object');
  return (partial = schema);
}
