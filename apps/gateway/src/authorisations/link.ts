/** A hyperlink of the Berlin Group's `_links`. */
export const link = (href: string): { readonly href: string } => ({ href });
