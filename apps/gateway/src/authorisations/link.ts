/** A hyperlink in the `_links` of a Berlin Group response. */
export const link = (href: string): { readonly href: string } => ({ href });
