/**
 * What the entry points made of names export, as one module. It is built as one, and those entry points are built as lists of
 * names from it (tsup.config.ts): shared by a dozen entry points the code would fall into as many pieces, each of which costs at
 * start-up. The main entry is built beside it, as it needs less.
 */
export * from './exports/admission.js';
export * from './exports/authentication.js';
export * from './exports/authorization.js';
export * from './exports/client.js';
export * from './exports/controllers.js';
export * from './exports/kinds.js';
export * from './exports/pki.js';
export * from './exports/storage.js';
export * from './index.js';
