import type { Format } from './format.js';
import { jsonFormat } from './json/format.js';
import { protobufFormat } from './protobuf/format.js';
import { yamlFormat } from './yaml/format.js';

/** The formats that every server supports, best first; the first one is the default for callers. */
export const formats: readonly [Format, ...Format[]] = [jsonFormat, yamlFormat, protobufFormat];
