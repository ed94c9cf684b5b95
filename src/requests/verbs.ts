/** The verbs on resources that authorizers decide on. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

// This is a Map because callers choose the method: an object would also find `constructor`.
const OF_METHOD: ReadonlyMap<string, Verb> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Returns the verb of a method on one object; '' for methods that the API does not have. */
export const verbOfMethod = (method: string): Verb | '' => OF_METHOD.get(method) ?? '';

export const ITEM_VERBS = ['get', 'update', 'patch', 'delete'] as const satisfies readonly Verb[];
export const COLLECTION_VERBS = ['list', 'watch', 'create', 'deletecollection'] as const satisfies readonly Verb[];
export const SUBRESOURCE_VERBS = ['get', 'update', 'patch'] as const satisfies readonly Verb[];
