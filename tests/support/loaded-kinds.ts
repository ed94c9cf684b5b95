import { loadKinds } from '../../src/registry/built-in-kind.js';
import { builtinResources } from '../../src/resources/index.js';

// Imported by tests that ask definitions themselves: a server would have loaded what the kinds do.
await loadKinds(builtinResources);
