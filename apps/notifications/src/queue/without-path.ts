/**
 * Removes the path and query of an address, because a TPP may include anything in them, for example a customer
 * number.
 */
export const withoutPath = (uri: string): string => `${new URL(uri).origin}/…`;
