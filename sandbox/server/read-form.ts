import { createHash } from 'node:crypto';

import type { UploadedFile } from '../contract/form';

/** Maximum form size in bytes, above the largest allowed file size. */
export const FORM_LIMIT_BYTES = 11 * 1024 * 1024;

const START = 5;

/** Parses a multipart body. Same-named parts become an array. */
export async function readForm(content: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const form = await new Response(content, { headers: { 'content-type': contentType } }).formData();
  const names = [...new Set(form.keys())];
  const entries = names.map(async (name) => {
    const values = await Promise.all(form.getAll(name).map(readPart));
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function readPart(part: string | File): Promise<string | UploadedFile> {
  if (typeof part === 'string') return part;
  const content = Buffer.from(await part.arrayBuffer());
  return {
    fileName: part.name,
    mimeType: part.type,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    start: content.subarray(0, START).toString('latin1'),
  };
}
