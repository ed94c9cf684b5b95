import { BIND_MACRO } from '../syntax/extension-macros.js';
import type { Library } from './library.js';

/** `cel.bind(name, value, expression)`: a library that is nothing but a macro. */
export const bindings: Library = Object.freeze({ name: 'bindings', macros: [BIND_MACRO] });
