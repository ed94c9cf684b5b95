import type { Format } from './format.js';
import { jsonFormat } from './json/format.js';
import { protobufFormat } from './protobuf/format.js';
import { yamlFormat } from './yaml/format.js';

/** The formats that every server supports, in order of preference. The first one is used for clients that do not name a format. */
export const formats: readonly [Format, ...Format[]] = [jsonFormat, yamlFormat, protobufFormat];
