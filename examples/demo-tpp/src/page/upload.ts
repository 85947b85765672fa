/** A form that contains a file (multipart/form-data, RFC 7578). */
export class Upload {
  constructor(
    readonly fields: URLSearchParams,
    /** Undefined if no file was chosen. */
    readonly file: { readonly name: string; readonly bytes: Uint8Array } | undefined,
  ) {}
}

/**
 * Reads the body of such a form. Any other body results in a form without fields, and therefore without a valid
 * token.
 */
export const readUpload = async (body: Buffer, contentType: string): Promise<Upload> => {
  const fields = new URLSearchParams();
  let file: Upload['file'];
  try {
    const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
    for (const [name, value] of await response.formData())
      if (typeof value === 'string') fields.append(name, value);
      else if (value.size > 0)
        file = { name: value.name.slice(0, 100), bytes: new Uint8Array(await value.arrayBuffer()) };
    return new Upload(fields, file);
  } catch {
    return new Upload(new URLSearchParams(), undefined);
  }
};
