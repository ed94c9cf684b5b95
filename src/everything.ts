/**
 * All exports of the entry points that contain no code of their own (`exports/`), as one module. The entry points are built as re-exports
 * of this module (tsup.config.ts): if a dozen entry points shared the code directly, the bundler would split it into as many chunks, each
 * of which costs time at start-up. The main entry is built separately, because it needs less of the code.
 */
export * from './exports/admission.js';
export * from './exports/audit.js';
export * from './exports/authentication.js';
export * from './exports/authorization.js';
export * from './exports/client.js';
export * from './exports/controllers.js';
export * from './exports/kinds.js';
export * from './exports/pki.js';
export * from './exports/plugins.js';
export * from './exports/storage.js';
export * from './index.js';
