import { type ApiError, apiError } from '../meta/api-error.js';

/** How a patch is written (spec 5.1). */
export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

/** The content type of each kind, in the order that messages list them. */
export const PATCH_MEDIA_TYPES: Readonly<Record<PatchKind, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** What a resource takes: one kept in the server's own code, and one defined by a CustomResourceDefinition. */
export const BUILTIN_PATCH_KINDS: readonly PatchKind[] = ['json', 'merge', 'strategic', 'apply'];
export const CUSTOM_PATCH_KINDS: readonly PatchKind[] = ['json', 'merge', 'apply'];

/**
 * The kind of patch that a Content-Type names: cut at `;`, then compared exactly, case included.
 * @throws ApiError 415, naming what the resource takes (spec 5.1).
 */
export function patchKindOf(contentType: string | undefined, accepted: readonly PatchKind[]): PatchKind {
  const type = contentType ?? '';
  const end = type.indexOf(';');
  const bare = end > 0 ? type.slice(0, end) : type;
  const kind = accepted.find((candidate) => PATCH_MEDIA_TYPES[candidate] === bare);
  if (kind === undefined) throw unsupportedPatch(accepted);
  return kind;
}

function unsupportedPatch(accepted: readonly PatchKind[]): ApiError {
  const types = accepted.map((kind) => PATCH_MEDIA_TYPES[kind]).join(', ');
  return apiError.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  );
}
