import { type ApiError, apiError } from '../meta/api-error.js';

/** The formats of patches (spec 5.1). */
export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

/** The content type of each patch format, in the order in which messages list them. */
export const PATCH_MEDIA_TYPES: Readonly<Record<PatchKind, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The patch formats that built-in resources accept, and the formats that resources of a CustomResourceDefinition accept. */
export const BUILTIN_PATCH_KINDS: readonly PatchKind[] = ['json', 'merge', 'strategic', 'apply'];
export const CUSTOM_PATCH_KINDS: readonly PatchKind[] = ['json', 'merge', 'apply'];

/**
 * Returns the format that a Content-Type denotes. The part before `;` must match exactly, including its case.
 * @throws ApiError 415, naming the formats that the resource accepts (spec 5.1).
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
