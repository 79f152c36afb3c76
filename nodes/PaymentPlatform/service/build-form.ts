import type { IDataObject } from 'n8n-workflow';

import { FileToSend } from '../fields/kinds/file';
import { asText } from '../shared/objects';
import type { FileContents } from './read-files';

/** A body as multipart/form-data, one part for each field, in their order; n8n's helper writes it. */
export function buildForm(fields: IDataObject, contents: FileContents): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const content = contents.get(name);
    if (content && value instanceof FileToSend)
      form.append(name, new Blob([content], { type: value.mimeType }), value.fileName);
    else form.append(name, asText(value));
  }
  return form;
}
