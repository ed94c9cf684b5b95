import { BIND_MACRO } from '../syntax/extension-macros.js';
import type { Library } from './library.js';

/** The library of `cel.bind(name, value, expression)`, which consists of a macro only. */
export const bindings: Library = Object.freeze({ name: 'bindings', macros: [BIND_MACRO] });
