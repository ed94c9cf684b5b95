import type { Format } from './format.js';
import { jsonFormat } from './json/format.js';
import { protobufFormat } from './protobuf/format.js';
import { yamlFormat } from './yaml/format.js';

/** What every server speaks, best first; the first one is what a caller without a wish gets. */
export const formats: readonly [Format, ...Format[]] = [jsonFormat, yamlFormat, protobufFormat];
