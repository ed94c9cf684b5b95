/** What may be done with resources, as authorizers are asked about it. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

// Maps, as a caller chooses the method: an object would answer `constructor`, too.
const OF_METHOD: ReadonlyMap<string, Verb> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** The verb of a method on one object; '' for methods the API does not know. */
export const verbOfMethod = (method: string): Verb | '' => OF_METHOD.get(method) ?? '';

export const ITEM_VERBS = ['get', 'update', 'patch', 'delete'] as const satisfies readonly Verb[];
export const COLLECTION_VERBS = ['list', 'watch', 'create', 'deletecollection'] as const satisfies readonly Verb[];
export const SUBRESOURCE_VERBS = ['get', 'update', 'patch'] as const satisfies readonly Verb[];
