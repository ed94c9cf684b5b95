import { type Format, itemsToWrite, unknownField } from '../format.js';
import { decodeYaml } from './decode.js';
import { encodeYaml } from './encode.js';

/** The YAML format. It supports one document per body and no watches. Its parser is loaded with the first body that is not JSON. */
export const yamlFormat: Format = {
  mediaType: () => 'application/yaml',
  indents: false,
  transforms: new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'APIGroupDiscoveryList']),

  read: (bytes, options) => decodeYaml(bytes, options),
  problems(_bytes, duplicates, unknownFields) {
    const unknown = unknownFields.map(unknownField);
    const refused = duplicates.length > 0 ? [unmarshalErrors(duplicates), ...unknown] : unknown;
    return { problems: [...duplicates, ...unknown], refusal: refused.join(', ') };
  },
  quoteDocument: (_bytes, value) => JSON.stringify(value),

  encodeObject: (object) => [encodeYaml(object)],
  encodeList: (list) => [encodeYaml({ ...list.head, items: itemsToWrite(list) })],
  encodeDocument: (document) => [encodeYaml(document)],
};

/** Formats the duplicate keys of a YAML document as one error. */
export function unmarshalErrors(duplicates: readonly string[]): string {
  return `yaml: unmarshal errors:\n${duplicates.map((text) => `  ${text}`).join('\n')}`;
}
